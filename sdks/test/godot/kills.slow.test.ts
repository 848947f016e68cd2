import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FOREIGN_ANSWERS, inTurn, startProxy } from '../../../packages/sdk/test/proxy.ts';
import type { Fate } from '../../../packages/sdk/test/proxy.ts';
import { sql } from '../../../packages/server/src/platform/database/sql.ts';
import { startTestServer } from '../../../packages/server/test/harness.ts';
import { waitForIngest } from '../../../packages/server/test/inbox.ts';
import { createRandom } from '../../../torture/random.ts';
import { godot } from './godot.ts';
import { playAndKill } from './kills.ts';

/** `KILLS=50 SEED=2 npm test -- <this file>` takes some minutes. */
const KILLS = Number(process.env.KILLS ?? 10);
const SEED = Number(process.env.SEED ?? 1);
const FAULTS: Fate[] = ['lose_answer', 'refuse', 'cut_request', 'cut_answer', { delay_ms: 50 }];

for (const [place, faults, full_disks] of [
  ['on a bad network', FAULTS, 0],
  ['where others answer', FOREIGN_ANSWERS, 0],
  ['on a full disk', ['refuse'], 0.5],
] as const) {
  test(
    `a Godot game ${place} that is killed at any moment loses no event, no kept call and not its player`,
    { skip: godot.skip },
    async (t) => {
      await using server = await startTestServer();
      await using proxy = await startProxy(() => Number(new URL(server.url).port));
      const studio = await server.makeGame();
      const home = await mkdtemp(join(tmpdir(), 'overworld-home-'));
      t.after(() => rm(home, { recursive: true }));
      const random = createRandom(SEED);
      const kept = await playAndKill({
        kills: KILLS,
        home,
        base_url: proxy.url,
        api_key: studio.production_key,
        random: () => random.next(),
        full_disks,
        onStart() {
          // On a good network, scores are stored before the kill. Without a network, they are kept.
          const chance = random.pick([0, 0.4, 1]);
          proxy.decide = () => (random.next() < chance ? random.pick(faults) : 'pass');
        },
        onEnd() {
          proxy.decide = inTurn();
        },
      });
      const { events, scores, score_count } = kept;
      t.diagnostic(
        `${KILLS} kills, ${events.length} events, ${score_count} scores on ${scores.size} boards`,
      );
      assert.deepEqual(kept.problems, []);
      assert.ok(events.length > KILLS / 4);
      assert.ok(score_count > KILLS / 4);

      const { game_id } = studio;
      const { player_id } = kept;
      // The answers to the last events came before the server put them into their table.
      await waitForIngest(server.database, game_id);
      const rows = await server.database.query<{ number: number; count: number }>(sql`
        SELECT (properties ->> 'number')::int AS number, count(*)::int AS count FROM events
        WHERE game_id = ${game_id} AND player_id = ${player_id} AND event_name = 'step'
        GROUP BY number`);
      const counts = new Map(rows.map(({ number, count }) => [number, count]));
      assert.deepEqual(
        rows.filter(({ count }) => count > 1),
        [],
        'these events were stored more than once',
      );
      assert.deepEqual(
        kept.events.filter((number) => !counts.has(number)),
        [],
        'these events were tracked and are not stored',
      );
      const read = async (path: string) =>
        (await server.request('GET', path, { key: studio.production_key })).body;
      for (const [board, score] of kept.scores) {
        const { entries } = await read(`/v1/leaderboards/${board}`);
        assert.equal(entries[0]?.player_id, player_id, board);
        assert.ok(entries[0].score >= score, board);
      }
      const saved = await read(`/v1/saves?player_id=${player_id}`);
      assert.ok(
        saved.data.number >= kept.saved,
        `${saved.data.number} is older than ${kept.saved}`,
      );
    },
  );
}
