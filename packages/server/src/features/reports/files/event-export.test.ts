import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeTestPartition } from '../../../../test/past-day.ts';
import { makeLargeGame, reportPath } from '../test/event-table.ts';

let server: TestServer;
let game: TestGame;
let token: string;

before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' }, stalled_reader_ms: 3_000 });
  await makeTestPartition(server);
  game = await server.makeGame({ tier: 'studio' });
  ({ token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' }));
});
after(() => server.close());

const STEAM_ID = '76561198000000001';
const PROPERTIES = `{"note": "ä \\"quoted\\" \\u2028", "steam_id": ${STEAM_ID}}`;

/** Lists the events of the game as the API does, but with the oldest first. */
async function listEvents() {
  const path = `/v1/games/${game.game_id}/events?limit=200`;
  const { body } = await server.request('GET', path, { token });
  return body.events.toReversed();
}

const today = () => new Date().toISOString().slice(0, 10);
const exportPath = (format: string, more = '') =>
  `/v1/games/${game.game_id}/events/export?format=${format}&from=${today()}${more}`;

test('GET …/events/export as NDJSON has the events in the order of receipt, with the same fields as in the event list', async () => {
  const sent = [
    `{"event_name":"first","session_id":"s","player_id":"p","properties":${PROPERTIES},"client_timestamp":"2026-01-31T12:00:00.123Z"}`,
    `{"event_name":"second","session_id":"s"}`,
  ];
  for (const body of sent) {
    await server.request('POST', '/v1/track', { key: game.production_key, body });
  }
  const { text, headers, status } = await server.request('GET', exportPath('ndjson'), { token });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/x-ndjson');
  assert.match(
    headers.get('content-disposition')!,
    /^attachment; filename="events-production-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.ndjson"$/,
  );
  const lines = text.split('\n');
  assert.equal(lines.pop(), '');
  assert.ok(lines[0]!.includes(`"steam_id": ${STEAM_ID}`), lines[0]);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    await listEvents(),
  );
  const one = await server.request('GET', exportPath('ndjson', '&event_name=second'), { token });
  assert.equal(one.text, `${lines[1]}\n`);
});

test('GET …/events/export as Parquet keeps all values and all digits of numbers', async () => {
  const response = await fetch(server.url + exportPath('parquet'), {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(response.headers.get('content-type'), 'application/vnd.apache.parquet');
  const file = await response.arrayBuffer();
  const rows = await parquetReadObjects({ file });
  const stored = await server.database.query<Record<string, unknown>>(sql`
    SELECT id, event_name, session_id, player_id, properties::text,
           extract(epoch FROM client_timestamp) * 1e6 AS client_us,
           extract(epoch FROM occurred_at) * 1e6 AS occurred_us,
           extract(epoch FROM received_at) * 1e6 AS received_us
    FROM events WHERE game_id = ${game.game_id} ORDER BY received_at, id`);
  assert.equal(rows.length, 2);
  for (const [index, row] of rows.entries()) {
    const { client_us, occurred_us, received_us, id, ...texts } = stored[index]!;
    const { client_timestamp, occurred_at, received_at, id: read_id, ...read } = row;
    assert.deepEqual(read, texts);
    assert.equal(read_id, BigInt(id as number));
    const inMs = (us: unknown) => (us === null ? null : Math.floor(Number(us) / 1_000));
    const times = [client_timestamp, occurred_at, received_at] as (Date | null | undefined)[];
    assert.deepEqual(
      times.map((time) => time?.getTime() ?? null),
      [client_us, occurred_us, received_us].map(inMs),
    );
  }
  assert.ok(String(rows[0]!.properties).includes(STEAM_ID));
});

test('GET …/events/export as CSV has the values of the event list, and texts that no spreadsheet runs', async () => {
  const { game_id, production_key } = await server.makeGame();
  const member = await server.makeAccount({ game_id, role: 'developer' });
  const send = (player_id: string, more: object) =>
    server.request('POST', '/v1/track', {
      key: production_key,
      body: { event_name: 'bought', session_id: 's', player_id, ...more },
    });
  await send('=1+1', { properties: { note: 'a "b", c;=d' } });
  await send('p', { client_timestamp: '2026-01-31T12:00:00.123Z' });
  const path = `/v1/games/${game_id}/events`;
  const { body } = await server.request('GET', path, { token: member.token });
  const [plain, formula] = body.events;
  const csv = await server.request('GET', `${path}/export?format=csv`, { token: member.token });
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(csv.headers.get('content-disposition')!, /filename="events-production-.*\.csv"$/);
  const times = (event: typeof plain) => `${event.occurred_at},${event.received_at}`;
  const head =
    'id,event_name,session_id,player_id,properties,client_timestamp,occurred_at,received_at';
  const last = `${plain.id},bought,s,p,{},2026-01-31T12:00:00.123Z,${times(plain)}`;
  const note = `"{""note"": ""a \\""b\\"", c;'=d""}"`;
  assert.deepEqual(csv.text.split('\r\n'), [
    head,
    `${formula.id},bought,s,'=1+1,${note},,${times(formula)}`,
    last,
    '',
  ]);
  const one = await server.request('GET', `${path}/export?format=csv&player_id=p`, {
    token: member.token,
  });
  assert.equal(one.text, `${head}\r\n${last}\r\n`);
  const count = async (query: string) => {
    const answer = await server.request('GET', `${path}/export/count?${query}`, {
      token: member.token,
    });
    return answer.body;
  };
  assert.deepEqual(await count(''), { event_count: 2, is_complete: true });
  assert.equal((await count('player_id=p')).event_count, 1);
  assert.equal((await count('event_name=other')).event_count, 0);
  assert.equal((await count('from=2001-01-01&to=2001-01-02')).event_count, 0);
  assert.equal((await count('environment=development')).event_count, 0);
});

test('an export without events is a valid file', async () => {
  const path = `/v1/games/${game.game_id}/events/export?from=2001-01-01&to=2001-01-02`;
  const { text, status } = await server.request('GET', path, { token });
  assert.deepEqual([status, text], [200, '']);
  const csv = await server.request('GET', `${path}&format=csv`, { token });
  assert.match(csv.text, /^id,event_name,[a-z_,]+\r\n$/);
  const response = await fetch(`${server.url}${path}&format=parquet`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const metadata = await parquetMetadataAsync(await response.arrayBuffer());
  assert.equal(metadata.num_rows, 0n);
});

test('a viewer may not export events', async () => {
  const viewer = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
  const { status } = await server.request('GET', exportPath('ndjson'), { token: viewer.token });
  assert.equal(status, 403);
});

test('an export ends when its client hangs up', async () => {
  const { game_id, headers } = await makeLargeGame(server, 20_000);
  const url = server.url + reportPath(game_id, 'events/export', {});
  // The loop starts more exports than may run at the same time. So it ends only if each export stops when its
  // client leaves, and thus makes room for the next export.
  for (let index = 0; index < 5; index++) {
    const leaving = new AbortController();
    await waitUntil('an export may run', async () => {
      const response = await fetch(url, { headers, signal: leaving.signal });
      if (response.status === 503) return false;
      assert.equal(response.status, 200);
      await response.body!.getReader().read();
      return true;
    });
    leaving.abort();
  }
});

test('exports whose clients hang up before the first byte block no other export', async () => {
  const { hostname, port } = new URL(server.url);
  for (let round = 0; round < 6; round++) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const path = exportPath('ndjson');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await sleep(round * 4);
    socket.destroy();
  }
  await waitUntil('an export succeeds again', async () => {
    const { status } = await server.request('GET', exportPath('ndjson'), { token });
    return status === 200;
  });
  const head = await server.request('HEAD', exportPath('ndjson'), { token });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal((await server.request('GET', exportPath('ndjson'), { token })).status, 200);
});
