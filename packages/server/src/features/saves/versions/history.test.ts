import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { countRows, readCounters } from '../../../../test/limits/limit-counts.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { SaveKey } from '../save-key.ts';
import { isOfSave } from '../save-key.ts';
import { storePuts } from '../writes/change-store.ts';
import type { StoredChange } from '../writes/stored-change.ts';
import { limitGrownHistories } from '../writes/history-limit.ts';
import { listVersions } from './version-store.ts';

/** Tests of versions that are kept besides the last ten. To let time pass, the tests make rows older. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ENOUGH_BYTES = 1_000_000;
const APP_VERSION = '1.4.2';

let server: TestServer;
let game: TestGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
});
after(() => server.close());

let players = 0;
const makeSave = (slot = 'main'): SaveKey => ({
  game_id: game.game_id,
  environment: 'production',
  player_id: `player-${++players}`,
  slot,
});

async function put(save: SaveKey, history_bytes = ENOUGH_BYTES, data = ['{}']) {
  const stored = await storePuts(server.database, [
    {
      save,
      expected_version: null,
      versions: data.map((text) => ({ data: text, app_version: APP_VERSION })),
    },
  ]);
  if (stored[0]!.has_grown) await limitGrownHistories(server.database, [save], history_bytes);
  return stored;
}

async function passHours(save: SaveKey, hours: number): Promise<void> {
  for (const table of [sql`saves`, sql`save_versions`, sql`older_save_versions`]) {
    await server.database.execute(sql`
      UPDATE ${table}
      SET saved_at = (saved_at AT TIME ZONE 'UTC' - ${hours}::integer * interval '1 hour') AT TIME ZONE 'UTC'
      WHERE ${isOfSave(save)}`);
  }
}

const keptVersions = async (save: SaveKey) =>
  (await listVersions(server.database, save)).saves.map(({ version }) => version);

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
      const save = makeSave();
      let kept: Kept[] = [];
      for (const hours of gaps) {
        await passHours(save, hours);
        const [{ version, changed_at }] = (await put(save)) as [StoredChange];
        const aged = kept.map((each) => ({ ...each, time_ms: each.time_ms - hours * HOUR_MS }));
        kept = dueOf([...aged, { version, time_ms: Date.parse(changed_at) }]);
        assert.deepEqual(await keptVersions(save), kept.map((each) => each.version).toReversed());
      }
      const { saves } = await listVersions(server.database, save);
      assert.ok(saves.every(({ app_version }) => app_version === APP_VERSION));
    }),
    { numRuns: countCases(6) },
  );
});

for (const [name, slot] of [
  ['the main slot', 'main'],
  ['another slot', 'a/b%'],
] as const) {
  test(`many concurrent saves to ${name} leave the versions of an hour, a day and a week ago`, async () => {
    const save = makeSave(slot);
    const path = `/v1/games/${game.game_id}/players/${save.player_id}/saves`;
    const query = `?slot=${encodeURIComponent(slot)}`;
    const send = (data: object) =>
      server.request('PUT', '/v1/saves', {
        key: game.production_key,
        body: { player_id: save.player_id, slot, data },
      });
    for (const hours of [24 * 6, 22, 1]) {
      for (let burst = 0; burst < 3; burst++) await send({ hours, burst });
      await passHours(save, hours);
    }
    const flood = await Promise.all(Array.from({ length: 40 }, () => send({ by: 'flood' })));
    assert.ok(flood.every(({ status }) => status === 200));
    for (const [version, hours] of [
      [9, 1],
      [6, 22],
      [3, 24 * 6],
    ] as const) {
      const read = await server.request('GET', `${path}/${version}${query}`, { token });
      assert.deepEqual(read.body.data, { hours, burst: 2 });
    }
    const restored = await server.request('POST', `${path}/3/restore${query}`, { token });
    assert.equal(restored.status, 201);
    const loaded = await server.request(
      'GET',
      `/v1/saves?player_id=${save.player_id}&slot=${encodeURIComponent(slot)}`,
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

test('of the versions that a write of many saves pushes out, the last one of each hour is kept', async () => {
  for (const count of [1, 4, 9, 10, 11, 30]) {
    const save = makeSave();
    for (let version = 1; version <= 12; version++) {
      await put(save);
      await passHours(save, 1);
    }
    await put(
      save,
      ENOUGH_BYTES,
      Array.from({ length: count }, () => '{}'),
    );
    const all = Array.from({ length: 12 + count }, (_, index) => 12 + count - index);
    assert.deepEqual(
      await keptVersions(save),
      all.filter((version) => version <= 12 || version > 2 + count),
    );
  }
});

test('older versions stay within the limit of bytes, and the newest hours and days are kept', async () => {
  const data = JSON.stringify({ text: 'x'.repeat(1_000) });
  for (const room of [0, 1, 2, 5]) {
    const save = makeSave();
    for (let version = 1; version <= 32; version++) {
      await passHours(save, version <= 20 ? 24 : 1);
      await put(save, room * data.length + 10, [data]);
    }
    const older = (await keptVersions(save)).slice(10);
    assert.equal(older.length, room);
    if (room > 0) assert.equal(older[0], 22, 'the newest hour');
    if (room === 5) assert.ok(older.at(-1)! < 20, `a day is kept besides hours: ${older}`);
  }
});
