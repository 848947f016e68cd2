import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { getRecentCalls } from '@overworld/contract/administration/calls';
import { OPERATIONS } from '@overworld/contract/operations';
import type { SuccessOf } from '@overworld/contract/operation';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { Exchange } from '../../../platform/http/exchange.ts';
import { makeSoleWorkerPool } from '../../../platform/workers/worker-pool.ts';
import { createRecentCalls } from './recent-calls.ts';
import { createRows } from './tally.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => server.close());

type Calls = SuccessOf<typeof getRecentCalls>;

test('administrators see which callers and networks make the most calls, and of what', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token, email, account_id } = await server.makeAccount({ is_administrator: true });
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const board = '/v1/leaderboards/race';
  const get = (ip: string, options: object = { key }) =>
    server.request('GET', board, { ...options, headers: from(ip) });
  for (let call = 0; call < 8; call++) await get('203.0.113.7');
  for (let call = 0; call < 3; call++) await get(`2001:db8::${call}`);
  await get('203.0.113.7', { key: 'ow_live_invented' });
  await server.request('GET', '/v1/admin/users', { token, headers: from('198.51.100.1') });
  await server.request('GET', '/nowhere', { headers: from('198.51.100.2') });
  const { status, body } = await server.request('GET', '/v1/admin/recent-calls', { token });
  assert.equal(status, 200);
  const { callers, networks, call_count, window_seconds } = body as Calls;
  assert.ok(call_count >= 14 && window_seconds <= 301, `${call_count} in ${window_seconds} s`);

  const operation = 'GET /v1/leaderboards/{board_name}';
  const [first] = networks;
  const ofKey = {
    kind: 'key',
    id: first!.caller.id,
    name: first!.caller.name,
    game_id,
    game_name: 'Test game',
    environment: 'production',
  };
  const ofNobody = {
    kind: 'nobody',
    id: null,
    name: null,
    game_id: null,
    game_name: null,
    environment: null,
  };
  const find = (network: string) => networks.filter((row) => row.network === network);
  assert.deepEqual(find('203.0.113.7'), [
    { network: '203.0.113.7', caller: ofKey, operation, ...counts(8) },
    { network: '203.0.113.7', caller: ofNobody, operation, ...counts(1, 1) },
  ]);
  assert.deepEqual(find('2001:db8:0:0::/64'), [
    { network: '2001:db8:0:0::/64', caller: ofKey, operation, ...counts(3) },
  ]);
  const [administrator] = find('198.51.100.1');
  assert.deepEqual(administrator!.caller, {
    ...ofNobody,
    kind: 'account',
    id: account_id,
    name: email,
  });
  assert.deepEqual(find('198.51.100.2'), [
    { network: '198.51.100.2', caller: ofNobody, operation: null, ...counts(1, 1) },
  ]);
  const [byKey] = callers.filter(({ caller }) => caller.game_id === game_id);
  assert.deepEqual(byKey, { caller: ofKey, operation, ...counts(11) });
});

const counts = (call_count: number, refused_count = 0) => ({
  call_count,
  refused_count,
  failed_count: 0,
});

test('a flood of networks and callers takes bounded memory, and does not hide the largest', async () => {
  const rows = createRows(100);
  const operation = OPERATIONS[0]!;
  const large = { network: '2001:db8:0:0::/64', caller: 'key', operation };
  for (let call = 0; call < 20_000; call++) {
    rows.add(`10.0.${call >> 8}.${call & 255}`, `caller ${call}`, operation, 200, 1);
    if (call % 10 === 0) rows.add(`2001:db8::${call.toString(16)}`, 'key', operation, 503, 1);
    if (call % 100 === 0) assert.ok(rows.list().length <= 100);
  }
  rows.keep(1);
  assert.deepEqual(rows.list(), [{ ...large, calls: 2_000, refused: 0, failed: 2_000 }]);
});

/** Makes the counts of a server without requests, and a function that ends the present minute. */
function makeCalls() {
  let nextMinute = async (): Promise<unknown> => undefined;
  const background = {
    everyHere: (_interval_ms: number, _name: string, work: () => Promise<unknown>) =>
      void (nextMinute = work),
  };
  const calls = createRecentCalls(background, makeSoleWorkerPool({ max_connections: 1 }));
  return { calls, nextMinute };
}

const makeExchange = (ip: string) =>
  ({
    ip,
    counted_as: 'key:1',
    route: { operation: OPERATIONS[0] },
    answer: { statusCode: 200 },
  }) as unknown as Exchange;

test('calls count for five minutes', async () => {
  const { calls, nextMinute } = makeCalls();
  const exchange = makeExchange('203.0.113.7');
  const counted: number[] = [];
  for (let minute = 0; minute < 7; minute++) {
    if (minute < 2) calls.note(exchange);
    counted.push((await calls.read()).networks[0]?.calls ?? 0);
    await nextMinute();
  }
  assert.deepEqual(counted, [1, 2, 2, 2, 2, 1, 0]);
});

test('of many calls, networks are counted by samples, and callers exactly', async () => {
  const { calls } = makeCalls();
  const [large, small] = [makeExchange('203.0.113.7'), makeExchange('203.0.113.8')];
  for (let call = 0; call < 40_000; call++) calls.note(call % 4 === 0 ? small : large);
  const { callers, networks, count } = await calls.read();
  assert.deepEqual([count, callers[0]!.calls], [40_000, 40_000]);
  const [first, second] = networks;
  assert.equal(first!.network, '203.0.113.7');
  // Five standard deviations.
  assert.ok(Math.abs(first!.calls - 30_000) < 3_400, String(first!.calls));
  assert.ok(Math.abs(second!.calls - 10_000) < 2_000, String(second!.calls));
});
