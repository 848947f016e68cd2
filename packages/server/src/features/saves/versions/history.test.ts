import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { countRows, readCounters } from '../../../../test/limits/limit-counts.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeSaveBatches } from '../test/saved-batch.ts';

/** Tests of the versions that are kept. To let time pass, the tests make rows older. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const APP_VERSION = '1.4.2';

let server: TestServer;
let game: TestGame;
let token: string;
let inOneBatch: Awaited<ReturnType<typeof makeSaveBatches>>;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  inOneBatch = await makeSaveBatches(server, game);
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
});
after(() => server.close());

interface Slot {
  player_id: string;
  slot: string;
}

let players = 0;
const makeSlot = (slot = 'main'): Slot => ({ player_id: `player-${++players}`, slot });
const queryOf = ({ slot }: Slot) => `?slot=${encodeURIComponent(slot)}`;

const send = (slot: Slot, data: object = {}, app_version = APP_VERSION) =>
  server.request('PUT', '/v1/saves', {
    key: game.production_key,
    headers: { 'overworld-app-version': app_version },
    body: { ...slot, data },
  });
const ask = (method: string, slot: Slot, path = '') =>
  server.request(
    method,
    `/v1/games/${game.game_id}/players/${slot.player_id}/saves${path}${queryOf(slot)}`,
    { token },
  );

async function passHours({ player_id, slot }: Slot, hours: number): Promise<void> {
  for (const table of [sql`saves`, sql`save_versions`, sql`older_save_versions`]) {
    await server.database.execute(sql`
      UPDATE ${table}
      SET saved_at = (saved_at AT TIME ZONE 'UTC' - ${hours}::integer * interval '1 hour') AT TIME ZONE 'UTC'
      WHERE game_id = ${game.game_id} AND player_id = ${player_id} AND slot = ${slot}`);
  }
}

async function listKept(slot: Slot): Promise<{ version: number; app_version: string }[]> {
  const { status, body, text } = await ask('GET', slot);
  assert.equal(status, 200, text);
  return body.saves;
}
const keptVersions = async (slot: Slot) => (await listKept(slot)).map(({ version }) => version);

interface Kept {
  version: number;
  time_ms: number;
}

/**
 * Takes the versions that were kept so far, the oldest first, and returns those that the rule still keeps.
 */
function dueOf(kept: readonly Kept[]): Kept[] {
  const now = kept.at(-1)!.time_ms;
  return kept.filter(({ time_ms }, index) => {
    if (index >= kept.length - 10) return true;
    const next_ms = kept[index + 1]!.time_ms;
    const isLastOf = (unit_ms: number) =>
      Math.floor(time_ms / unit_ms) !== Math.floor(next_ms / unit_ms);
    const age_ms = now - time_ms;
    return (age_ms < DAY_MS && isLastOf(HOUR_MS)) || (age_ms < 30 * DAY_MS && isLastOf(DAY_MS));
  });
}

test('besides the last ten saves, one per hour of a day and one per day of a month are kept', async () => {
  const gap = fc.oneof(
    { weight: 8, arbitrary: fc.constant(1) },
    { weight: 8, arbitrary: fc.integer({ min: 2, max: 40 }) },
    { weight: 1, arbitrary: fc.constant(24 * 29) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(gap, { minLength: 12, maxLength: 45 }), async (gaps) => {
      const slot = makeSlot();
      let kept: Kept[] = [];
      for (const [index, hours] of gaps.entries()) {
        if (index > 0) await passHours(slot, hours);
        const { version, updated_at } = (await send(slot)).body;
        const aged = kept.map((each) => ({ ...each, time_ms: each.time_ms - hours * HOUR_MS }));
        kept = dueOf([...aged, { version, time_ms: Date.parse(updated_at) }]);
        assert.deepEqual(await keptVersions(slot), kept.map((each) => each.version).toReversed());
      }
      const saves = await listKept(slot);
      assert.ok(saves.every(({ app_version }) => app_version === APP_VERSION));
    }),
    { numRuns: countCases(6) },
  );
});

for (const [name, text] of [
  ['the main slot', 'main'],
  ['another slot', 'a/b%'],
] as const) {
  test(`many concurrent saves to ${name} leave the versions of an hour, a day and a week ago`, async () => {
    const slot = makeSlot(text);
    for (const hours of [24 * 6, 22, 1]) {
      for (let burst = 0; burst < 3; burst++) await send(slot, { hours, burst });
      await passHours(slot, hours);
    }
    const flood = await Promise.all(Array.from({ length: 40 }, () => send(slot, { by: 'flood' })));
    assert.ok(flood.every(({ status }) => status === 200));
    for (const [version, hours] of [
      [9, 1],
      [6, 22],
      [3, 24 * 6],
    ] as const) {
      const read = await ask('GET', slot, `/${version}`);
      assert.deepEqual(read.body.data, { hours, burst: 2 });
    }
    assert.equal((await ask('POST', slot, '/3/restore')).status, 201);
    const loaded = await server.request(
      'GET',
      `/v1/saves${queryOf(slot)}&player_id=${slot.player_id}`,
      { key: game.production_key },
    );
    assert.deepEqual(loaded.body.data, { hours: 24 * 6, burst: 2 });
    const { game_id } = game;
    assert.deepEqual(
      await readCounters(server.database, game_id),
      await countRows(server.database, game_id),
    );
  });
}

for (const count of [1, 2, 10, 11, 25]) {
  test(`a batch of ${count} saves to a slot makes ${count} versions, of which the last ten are kept`, async () => {
    const slot = makeSlot();
    const sent = new Map<number, { batch: number; number: number }>();
    for (let batch = 0; batch < 3; batch++) {
      const before_batch = sent.size;
      const answers = await inOneBatch(() =>
        Array.from({ length: count }, (_, number) =>
          send(slot, { batch, number }, `${batch}.${number}`),
        ),
      );
      for (const [number, { body, text }] of (await Promise.all(answers)).entries()) {
        assert.ok(body.version > before_batch, text);
        sent.set(body.version, { batch, number });
      }
      assert.equal(sent.size, before_batch + count, 'each save has a version of its own');
      assert.equal(Math.max(...sent.keys()), sent.size);
      // Besides the last ten, the last version of the hour may be kept.
      const kept = (await listKept(slot)).slice(0, 10);
      assert.deepEqual(
        kept.map(({ version }) => version),
        Array.from({ length: Math.min(10, sent.size) }, (_, index) => sent.size - index),
      );
      for (const { version, app_version } of kept) {
        const { batch: in_batch, number } = sent.get(version)!;
        const read = await ask('GET', slot, `/${version}`);
        assert.deepEqual(read.body.data, { batch: in_batch, number });
        assert.equal(app_version, `${in_batch}.${number}`);
      }
    }
  });
}

test('of the versions that a batch of many saves pushes out, the last one of each hour is kept', async () => {
  for (const count of [1, 4, 9, 10, 11, 30]) {
    const slot = makeSlot();
    for (let version = 1; version <= 12; version++) {
      await send(slot);
      await passHours(slot, 1);
    }
    await Promise.all(await inOneBatch(() => Array.from({ length: count }, () => send(slot))));
    const all = Array.from({ length: 12 + count }, (_, index) => 12 + count - index);
    assert.deepEqual(
      await keptVersions(slot),
      all.filter((version) => version <= 12 || version > 2 + count),
    );
  }
});
