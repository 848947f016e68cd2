import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer, TestServerOptions } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';

/** A line of the log, of any shape. */
// oxlint-disable-next-line no-explicit-any
type Line = Record<string, any>;

async function startLogged(options: TestServerOptions = {}) {
  const lines: Line[] = [];
  const log = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const server = await startTestServer({ ...options, log });
  /** Waits for the line of the request with this id. */
  const readLine = async (request_id: string) => {
    await waitUntil(`there is a line on ${request_id}`, async () =>
      lines.some((line) => line.request_id === request_id),
    );
    return lines.find((line) => line.request_id === request_id)!;
  };
  return { server, lines, readLine };
}

describe('the log of requests', () => {
  let server: TestServer;
  let lines: Line[];
  let readLine: (request_id: string) => Promise<Line>;
  let game: TestGame;
  before(async () => {
    ({ server, lines, readLine } = await startLogged());
    game = await server.makeGame();
  });
  after(() => server.close());

  const ask = (method: string, path: string, options: Parameters<TestServer['request']>[2] = {}) =>
    server.request(method, path, options);
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')!;

  test('has one line per request, with id, route, operation, status, duration and caller', async () => {
    const key = game.production_key;
    const answer = await ask('GET', '/v1/players/juno%20the%20great?secret=hush', { key });
    const line = await readLine(idOf(answer));
    const { time: _time, pid: _pid, hostname: _host, duration_ms, caller, ...rest } = line;
    assert.deepEqual(rest, {
      level: 30,
      request_id: idOf(answer),
      method: 'GET',
      route: '/v1/players/:player_id',
      operation: 'getPlayer',
      status: 404,
      msg: 'request',
    });
    assert.ok(duration_ms > 0 && duration_ms < 60_000);
    assert.match(caller, /^key:[0-9a-f-]{36}$/);
    assert.equal(lines.filter(({ request_id }) => request_id === idOf(answer)).length, 1);

    const unknown = await readLine(idOf(await ask('GET', '/v1/none')));
    assert.deepEqual([unknown.route, unknown.status], ['none', 404]);
    assert.equal('caller' in unknown, false);
  });

  test('contains no secret, no address and no part of the body or query', async () => {
    const { email, password, token, account_id } = await server.makeAccount();
    const sent = [
      await ask('POST', '/v1/auth/login', { body: { email, password } }),
      await ask('GET', '/v1/auth/me', { token }),
      await ask('GET', '/v1/auth/me', { token: `${token}x` }),
      await ask('GET', '/v1/achievements', { key: 'ow_live_wrong' }),
      await ask('PUT', '/v1/saves', { key: game.production_key, body: '{"broken-json' }),
      await ask('GET', `/v1/saves?player_id=whose-save`, { key: game.production_key }),
    ];
    for (const answer of sent) await readLine(idOf(answer));
    assert.equal((await readLine(idOf(sent[1]!))).caller, `account:${account_id}`);
    const text = JSON.stringify(lines);
    for (const secret of [
      password,
      email,
      token,
      sent[0]!.body.token,
      game.production_key,
      'ow_live_wrong',
      'broken-json',
      'whose-save',
      '127.0.0.1',
    ]) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  test('has the request id that a proxy sent, or a new id if that id is malformed', async () => {
    for (const [given, kept] of [
      ['7f3c-proxy:0001', true],
      ['short', false],
      ['with space in it', false],
      ['x'.repeat(65), false],
      ['"},{"level":60}', false],
    ] as const) {
      const answer = await ask('GET', '/v1/none', { headers: { 'x-request-id': given } });
      if (kept) assert.equal(idOf(answer), given);
      else assert.match(idOf(answer), /^[0-9a-f-]{36}$/, given);
      await readLine(idOf(answer));
    }
  });

  test('shows status 499 when the client hung up', async () => {
    const body = '{"event_name":"e","session_id":"s"';
    const headers = {
      'x-game-api-key': game.production_key,
      'x-request-id': 'hung-up-in-the-middle',
      'content-type': 'application/json',
      'content-length': 200,
      expect: '100-continue',
    };
    const request = httpRequest(`${server.url}/v1/track`, { method: 'POST', headers });
    request.on('error', () => undefined);
    // The server answers `100 Continue`, and thus asks for the body, once it has begun to handle the
    // request.
    await once(request, 'continue');
    request.write(body, () => request.destroy());
    assert.equal((await readLine('hung-up-in-the-middle')).status, 499);
  });

  test('leaves out health probes that succeed', async () => {
    const headers = { 'x-request-id': 'probe-of-balancer' };
    assert.equal((await ask('GET', '/healthz', { headers })).status, 200);
    await readLine(idOf(await ask('GET', '/v1/none')));
    assert.ok(!JSON.stringify(lines).includes('probe-of-balancer'));
    const refused = await ask('GET', '/metrics', { headers: { 'x-forwarded-for': '8.8.8.8' } });
    assert.equal((await readLine(idOf(refused))).status, 401);
  });
});

test('LOG_REQUESTS=failed logs only failed requests, and LOG_REQUESTS=none logs no requests', async () => {
  for (const [which, statuses] of [
    ['failed', [404]],
    ['none', []],
  ] as const) {
    const { server, lines } = await startLogged({ env: { LOG_REQUESTS: which } });
    await server.request('GET', '/v1/openapi.json');
    await server.request('GET', '/v1/none');
    await server.close();
    const logged = lines.filter(({ msg }) => msg === 'request').map(({ status }) => status);
    assert.deepEqual(logged, statuses, which);
  }
});
