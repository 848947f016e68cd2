import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
let game: TestGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame({ tier: 'studio' });
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
});
after(() => server.close());

const event = { event_name: 'level_complete', session_id: 'session-1' };
const track = (body: unknown) =>
  server.request('POST', '/v1/track', { key: game.production_key, body });
const listEvents = async (event_name: string) => {
  const path = `/v1/games/${game.game_id}/events?limit=200&event_name=${event_name}`;
  return (await server.request('GET', path, { token })).body.events;
};

test('null fields count as absent, and unknown fields are ignored', async () => {
  const sent = { ...event, event_name: 'nulls', player_id: null, properties: null };
  const answer = await track({ ...sent, client_timestamp: null, unknown: [1, 2] });
  assert.equal(answer.status, 202);
  const [stored] = await listEvents('nulls');
  assert.deepEqual(stored.properties, {});
  assert.equal(stored.player_id, null);
  assert.equal(stored.client_timestamp, null);
  assert.equal(stored.unknown, undefined);
});

test('hostile texts are stored as they were sent', async () => {
  const properties =
    '{"__proto__":{"polluted":1},"constructor":"c","big":76561198000000001234,"dup":1,"dup":2,' +
    '"html":"<script>","sql":"\'; DROP TABLE events; --","emoji":"\\ud83d\\ude00","tiny":0.5e-7}';
  const name = `${'🦊'.repeat(250)}/%"';`;
  const answer = await track(
    `[{"event_name":"x","event_name":${JSON.stringify(name)},"session_id":"s","properties":${properties}}]`,
  );
  assert.equal(answer.status, 202);
  const { text } = await server.request(
    'GET',
    `/v1/games/${game.game_id}/events?event_name=${encodeURIComponent(name)}`,
    { token },
  );
  assert.match(text, /"big": 76561198000000001234/);
  const [stored] = JSON.parse(text).events;
  assert.deepEqual(stored.properties, JSON.parse(properties.replace('"dup":1,', '')));
});

test('numbers that PostgreSQL cannot read are stored as JavaScript reads them', async () => {
  const numbers = ['1e-20000', '1E-400', `0.${'0'.repeat(20_000)}1`, '0e99999999999'];
  for (const number of numbers) {
    const answer = await track(
      `{"event_name":"odd_numbers","session_id":"s","properties":{"n":${number}}}`,
    );
    assert.equal(answer.status, 202, answer.text);
  }
  const stored = await listEvents('odd_numbers');
  assert.deepEqual(
    stored.map(({ properties }: { properties: object }) => properties),
    numbers.map(() => ({ n: 0 })),
  );
});

test('client_timestamp stays as it was sent, and occurred_at stays near the receipt', async () => {
  const now = Date.now();
  const at = (offset_ms: number) => new Date(now + offset_ms).toISOString();
  const [HOUR, DAY] = [3_600_000, 86_400_000];
  const times = [at(-89 * DAY), at(-91 * DAY), at(0.9 * HOUR), at(1.1 * HOUR)];
  await track(
    times.map((client_timestamp) => ({ ...event, event_name: 'timed', client_timestamp })),
  );
  const stored = (await listEvents('timed')).toReversed();
  for (const [index, isKept] of [true, false, true, false].entries()) {
    const { client_timestamp, occurred_at, received_at } = stored[index];
    assert.equal(client_timestamp, times[index]);
    assert.equal(occurred_at, isKept ? times[index] : received_at);
  }
  const offset = {
    ...event,
    event_name: 'offset',
    client_timestamp: '2026-01-02T03:04:05+02:00',
  };
  await track(offset);
  const [{ client_timestamp }] = await listEvents('offset');
  assert.equal(client_timestamp, '2026-01-02T01:04:05.000Z');
});

test('every event that was accepted in this file was ingested', async () => {
  await listEvents('none');
  const row = await server.database.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM event_quarantine`,
  );
  assert.equal(row!.count, 0);
});
