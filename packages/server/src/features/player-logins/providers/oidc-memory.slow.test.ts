import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { AUDIENCE, startIssuer } from '../test/issuer.ts';
import { makeIssuerGame } from '../test/issuer-game.ts';
import type { IssuerGame } from '../test/issuer-game.ts';
import { makeLoginGame, refusalOf } from '../test/login-game.ts';

/**
 * Tests of the data of issuers in memory: their keys, failures and waiting logins. Each worker has its
 * own memory, so these tests use one worker. They also set its clock.
 */

let server: TestServer;
let game: IssuerGame['game'];
let issuer: IssuerGame['issuer'];
let logIn: IssuerGame['logIn'];
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_ISSUERS: 'true', WORKERS: '1' } });
});
after(() => server.close());

afterEach(() => issuer.close());
beforeEach(async () => {
  ({ game, issuer, logIn } = await makeIssuerGame(server));
});

const INVALID = 'Invalid ID token';
const AWAY = 'The login provider cannot be reached, try again later';

test('an ID token logs in, and the keys of its issuer are loaded only once', async () => {
  const first = await logIn(await issuer.sign());
  assert.deepEqual([first.status, first.body.providers], [201, ['studio-id']]);
  const again = await logIn(await issuer.sign({ jti: '2' }));
  assert.deepEqual([again.status, again.body.player_id], [200, first.body.player_id]);
  const other = await logIn(await issuer.sign({ sub: 'somebody else' }));
  assert.notEqual(other.body.player_id, first.body.player_id);
  assert.deepEqual(issuer.asked, ['/.well-known/openid-configuration', '/keys']);
});

test('a new key of the issuer is loaded when a token names it', async (context) => {
  await logIn(await issuer.sign());
  await issuer.rotateKey();
  const early = await logIn(await issuer.sign());
  assert.deepEqual(refusalOf(early), [401, INVALID], 'keys are read every 30 seconds at most');
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 });
  const { status } = await logIn(await issuer.sign({ jti: 'new' }));
  context.mock.timers.reset();
  assert.equal(status, 200);
});

test('a silent issuer makes logins answer 503, first after 5 seconds and then immediately', async () => {
  issuer.answerBy(() => undefined);
  const began = performance.now();
  const [silent, other] = await Promise.all([
    logIn(await issuer.sign()),
    game.logIn({ provider: 'device', device_id: randomUUID(), secret: 'x'.repeat(43) }),
  ]);
  assert.equal(other.status, 201);
  assert.deepEqual(refusalOf(silent), [503, AWAY]);
  assert.ok(performance.now() - began > 4_500);
  const asked = issuer.asked.length;
  assert.equal((await logIn(await issuer.sign())).status, 503);
  assert.equal(issuer.asked.length, asked, 'the issuer is not asked again at once');
});

test('at most 50 logins wait for one issuer', async () => {
  let release: (() => void)[] = [];
  issuer.answerBy((_request, answer) => {
    release.push(() => answer.writeHead(500).end());
  });
  const tokens = await Promise.all(
    Array.from({ length: 60 }, (_, index) => issuer.sign({ sub: `player ${index}` })),
  );
  const logins = tokens.map((token) => logIn(token));
  const answered = await Promise.race(logins);
  assert.equal(answered.status, 503);
  assert.match(answered.body.error, /^Too many logins wait/);
  release.forEach((run) => run());
  release = [];
  const statuses = (await Promise.all(logins)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([503]));
});

test('logins of other games go on while one game has many logins at silent issuers', async () => {
  const silent: ServerResponse[] = [];
  const slow = await startIssuer();
  slow.answerBy((_request, answer) => void silent.push(answer));
  const greedy = await makeLoginGame(server);
  const id_token = await slow.sign();
  for (let index = 0; index < 5; index++) {
    const settings = { issuer: slow.url, audiences: [AUDIENCE], jwks_url: `${slow.url}/${index}` };
    await greedy.register(`silent-${index}`, settings);
  }
  const logins = Array.from({ length: 250 }, (_, index) =>
    greedy.logIn({ provider: `silent-${index % 5}`, id_token }),
  );
  const refused = await Promise.race(logins);
  assert.match(refused.body.error, /^Too many logins wait/);
  assert.equal((await logIn(await issuer.sign())).status, 201);
  silent.forEach((answer) => answer.destroy());
  await Promise.all(logins);
  await slow.close();
});

test('logins at an issuer that is down go on while its keys are in memory', async () => {
  await logIn(await issuer.sign());
  issuer.answerBy((_request, answer) => answer.destroy());
  assert.equal((await logIn(await issuer.sign({ jti: '2' }))).status, 200);
});
