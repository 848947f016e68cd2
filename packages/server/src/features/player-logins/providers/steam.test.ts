import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeLoginGame, refusalOf } from '../test/login-game.ts';
import type { LoginGame } from '../test/login-game.ts';

let server: TestServer;
let game: LoginGame;
let asked: URLSearchParams[] = [];
/** Steam's answer to each ticket: a text is the body of a 200 answer, a number is the status of a failure. */
const answers = new Map<string, string | number>();

const steam = createServer((request, answer) => {
  const url = new URL(request.url!, 'http://steam.example');
  assert.equal(url.pathname, '/api/ISteamUserAuth/AuthenticateUserTicket/v1/');
  asked.push(url.searchParams);
  const text = answers.get(url.searchParams.get('ticket')!) ?? 500;
  if (typeof text === 'number') answer.writeHead(text).end('rubbish');
  else answer.end(text);
});

const rightAnswer = (steamid: string, more: object = {}) =>
  JSON.stringify({ response: { params: { result: 'OK', steamid, ...more } } });

before(async () => {
  await new Promise<void>((resolve) => {
    steam.listen(0, '127.0.0.1', resolve);
  });
  const { port } = steam.address() as AddressInfo;
  // Each worker remembers failures separately, so there is only one worker.
  const env = { STEAM_API_URL: `http://127.0.0.1:${port}/api/`, WORKERS: '1' };
  server = await startTestServer({ env });
  game = await makeLoginGame(server);
  const settings = { app_id: '480', web_api_key: 'ABCDEF', identity: 'overworld' };
  assert.equal((await game.register('steam', settings)).status, 200);
});
after(async () => {
  await server.close();
  steam.closeAllConnections();
  steam.close();
});

const logIn = (ticket: string) => game.logIn({ provider: 'steam', ticket });

test('a Steam user can log in with a ticket only once', async () => {
  answers.set('0a0b', rightAnswer('76561198000000001'));
  answers.set('0a0c', rightAnswer('76561198000000001'));
  asked = [];
  const first = await logIn('0a0b');
  assert.deepEqual([first.status, first.body.providers], [201, ['steam']]);
  assert.deepEqual(Object.fromEntries(asked[0]!), {
    key: 'ABCDEF',
    appid: '480',
    ticket: '0a0b',
    identity: 'overworld',
  });
  assert.equal((await logIn('0a0c')).body.player_id, first.body.player_id);
  assert.match((await logIn('0a0b')).body.error, /^This token was used before/);
});

test('a ticket that Steam refuses answers 401, and one of a banned account answers 403', async () => {
  answers.set('0b', '{"response":{"error":{"errorcode":101,"errordesc":"Invalid ticket"}}}');
  answers.set('0c', rightAnswer('76561198000000002', { publisherbanned: true }));
  assert.deepEqual(refusalOf(await logIn('0b')), [401, 'Invalid Steam ticket']);
  assert.deepEqual(refusalOf(await logIn('0c')), [
    403,
    'This Steam account is banned from the game',
  ]);
});

test('a ticket that Steam cannot read answers 401, and other players can still log in', async () => {
  for (const [index, status] of [400, 413, 414, 431].entries()) {
    const [ticket, right] = [`0f1${index}`, `0f0${index}`];
    answers.set(ticket, status).set(right, rightAnswer('76561198000000004'));
    assert.deepEqual(refusalOf(await logIn(ticket)), [401, 'Invalid Steam ticket']);
    assert.ok((await logIn(right)).status < 300);
  }
});

test('after a failure in one game, players of another game can still log in with Steam', async () => {
  const other = await makeLoginGame(server);
  await other.register('steam', { app_id: '480', web_api_key: 'WRONG' });
  answers.set('0f21', 403);
  assert.equal((await other.logIn({ provider: 'steam', ticket: '0f21' })).status, 503);
  answers.set('0f22', rightAnswer('76561198000000005'));
  assert.equal((await logIn('0f22')).status, 201);
});

test('a ticket that is not hexadecimal answers 400, and Steam is not called', async () => {
  asked = [];
  for (const ticket of ['xyz', '0', '0a&key=1']) {
    assert.deepEqual(refusalOf(await logIn(ticket)), [400, 'ticket must be hexadecimal digits']);
  }
  assert.equal((await logIn('a'.repeat(8_194))).status, 400);
  assert.deepEqual(asked, []);
});

test('rubbish from Steam answers 503, and logins get 503 for the next two seconds', async () => {
  const rubbish = [403, 500, 'null', '{}', '{"response":{}}', '[]', rightAnswer('not a number')];
  for (const [index, text] of rubbish.entries()) {
    // Another app id counts as another provider, so the failure before does not matter.
    await game.register('steam', { app_id: String(1_000 + index) });
    const ticket = `0d${index.toString(16).padStart(2, '0')}`;
    answers.set(ticket, text);
    const answer = await logIn(ticket);
    assert.deepEqual(
      refusalOf(answer),
      [503, 'The login provider cannot be reached, try again later'],
      String(text),
    );
  }
  answers.set('0e', rightAnswer('76561198000000003'));
  asked = [];
  assert.equal((await logIn('0e')).status, 503);
  assert.deepEqual(asked, []);
});
