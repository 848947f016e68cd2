import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { lockGame } from '../../platform/game-lock.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/**
 * A midnight in UTC. `NIGHT` is 20 minutes earlier, when it is
 * still the day before in UTC, but already the next day in Berlin.
 */
const MIDNIGHT = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000);
const NIGHT = new Date(MIDNIGHT.getTime() - 20 * 60_000).toISOString();
const [before_day, day] = [NIGHT.slice(0, 10), MIDNIGHT.toISOString().slice(0, 10)];

async function makeStudio() {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token } = await server.makeAccount({ game_id });
  const path = `/v1/games/${game_id}`;
  return {
    ...game,
    path,
    token,
    change: (body: unknown, as = token) => server.request('PATCH', path, { token: as, body }),
    read: async (rest = '') => (await server.request('GET', path + rest, { token })).body,
    async track(player_id: string) {
      const body = { event_name: 'e', session_id: 's', player_id, client_timestamp: NIGHT };
      assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
    },
  };
}

const waitForChange = ({ read }: { read: () => Promise<{ time_zone_change: unknown }> }) =>
  waitUntil('the days have moved', async () => (await read()).time_zone_change === null);

test('PATCH …/games/{game_id} moves the days of a game to another time zone', async () => {
  const studio = await makeStudio();
  const { game_id, change, read, track } = studio;
  await track('a');
  await waitForIngest(server.database, game_id);
  const daily = async () => {
    const report = await read(`/analytics/active-players?from=${before_day}&to=${day}`);
    return [report.time_zone, ...report.days.map((each: { daily: number }) => each.daily)];
  };
  assert.deepEqual(await daily(), ['UTC', 1, 0]);
  assert.deepEqual(await read('/time-zone'), {
    time_zone: 'UTC',
    change: null,
    event_count: 1,
    estimated_seconds: 2,
    complete_since: null,
  });

  // While this transaction locks the row, no server begins the change.
  await server.database.transaction(async (tx) => {
    await tx.execute(sql`INSERT INTO event_holds (game_id) VALUES (${game_id})`);
    await tx.execute(sql`SELECT FROM event_holds WHERE game_id = ${game_id} FOR UPDATE`);
    const { status, body } = await change({ time_zone: 'europe/berlin' });
    assert.equal(status, 200);
    const time_zone_change = { time_zone: 'Europe/Berlin', progress: 0 };
    assert.deepEqual([body.time_zone, body.time_zone_change], ['UTC', time_zone_change]);
    assert.deepEqual((await read('/time-zone')).change, time_zone_change);
    assert.equal((await change({ time_zone: 'Europe/Berlin' })).status, 200);
    const other = await change({ time_zone: 'Asia/Tokyo', name: 'Not renamed' });
    assert.deepEqual(
      [other.status, other.body.error],
      [409, 'time_zone is being changed to Europe/Berlin: wait until that is complete'],
    );
    assert.equal((await read()).name, 'Test game');
    assert.deepEqual(await daily(), ['UTC', 1, 0]);
    await track('b');
  });
  await waitForChange(studio);
  await waitForIngest(server.database, game_id);
  assert.deepEqual(await daily(), ['Europe/Berlin', 0, 2]);
  const log = await read('/audit-log');
  const zones = log.audit_log.map(
    ({ details }: { details: { time_zone?: string } }) => details?.time_zone,
  );
  assert.deepEqual(zones, ['Europe/Berlin', 'Europe/Berlin']);
});

test('only admins change the time zone, and an unknown time zone changes nothing', async () => {
  const studio = await makeStudio();
  const { game_id, change, read } = studio;
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  assert.equal((await change({ time_zone: 'Asia/Tokyo' }, developer.token)).status, 403);
  for (const time_zone of ['Mars/Olympus', '+02:00', '\u0000', '', 7, ['UTC'], 'x'.repeat(65)]) {
    const { status, body } = await change({ time_zone, event_validation: 'warn' });
    assert.equal(status, 400, String(time_zone));
    assert.match(body.error, /time_zone/);
  }
  assert.equal((await change({ time_zone: 'UTC' })).status, 200);
  const game = await read();
  assert.deepEqual(
    [game.time_zone, game.time_zone_change, game.event_validation],
    ['UTC', null, 'off'],
  );
  const admin = await server.makeAccount({ game_id, role: 'admin' });
  assert.equal((await change({ time_zone: 'Asia/Tokyo' }, admin.token)).status, 200);
  await waitForChange(studio);
  assert.equal((await read()).time_zone, 'Asia/Tokyo');
});

test('ingest of one game goes on while the days of another game are moved', async () => {
  const [first, second] = [await makeStudio(), await makeStudio()];
  const ids = [first.game_id, second.game_id];
  await server.database.transaction(async (tx) => {
    // This lock keeps the first change from ending.
    await lockGame(tx, first.game_id);
    await server.database.execute(sql`
      INSERT INTO time_zone_changes (game_id, time_zone, requested_at)
      SELECT game_id, 'Asia/Tokyo', now() + place * interval '1 second'
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (game_id, place)`);
    await waitUntil('the first change is under way', async () => {
      const begun = sql`
        SELECT FROM time_zone_changes WHERE game_id = ${first.game_id} AND progress > 0`;
      return (await server.database.execute(begun)) > 0;
    });
    const countHolds = (game_id: string) =>
      server.database.execute(sql`SELECT FROM event_holds WHERE game_id = ${game_id}`);
    assert.deepEqual(await Promise.all(ids.map(countHolds)), [1, 0]);
  });
  await waitForChange(first);
  await waitForChange(second);
  assert.equal((await second.read()).time_zone, 'Asia/Tokyo');
});

test('a time zone must be known to Node and PostgreSQL, and is spelled as PostgreSQL spells it', async () => {
  const { token } = await server.makeAccount();
  const createGame = (time_zone: string | null) =>
    server.request('POST', '/v1/games', { token, body: { name: 'Zoned', time_zone } });
  for (const [given, stored] of [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['utc', 'UTC'],
    [null, 'UTC'],
  ] as const) {
    const { status, body } = await createGame(given);
    assert.equal(status, 201, given ?? 'null');
    assert.equal(body.time_zone, stored);
  }
  for (const time_zone of [
    'Mars/Olympus',
    '+02:00',
    'posixrules',
    'posix/Europe/Berlin',
    'Factory',
    "UTC'; --",
  ]) {
    const { status, body } = await createGame(time_zone);
    assert.equal(status, 400, time_zone);
    assert.deepEqual(body, { error: 'time_zone must be an IANA time zone, such as Europe/Berlin' });
  }
});
