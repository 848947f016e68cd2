import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { describeMachine, measure, say, SECONDS } from './measure.ts';
import { putSave } from './requests.ts';
import { seedSaves } from './seed.ts';

/**
 * `npm run bench:restore` measures the 99th percentile of the time to write a save of 1 KB, first without
 * other work, and then while the server restores saves of 1 KB of other players of the same game. It says how
 * many saves a minute the server restores, and how many it counts.
 */

const PLAYERS = 100_000;
const SPOILED = 60_000;
/** The pause of each connection after an answer: players of a real game do not all save at once. */
const PAUSE_MS = Number(process.env.BENCH_PAUSE_MS ?? 20);

/** Gives some players a good version of a save, and a bad one after it. */
async function seedSpoiled({ database }: BenchServer, game_id: string): Promise<void> {
  const game = database.ofGame(game_id);
  const numbers = sql`generate_series(1, ${SPOILED}::integer) AS n`;
  await game.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'spoiled-' || n FROM ${numbers}`);
  await game.execute(sql`
    INSERT INTO saves (game_id, environment, player_id, revision, version, saved_at, hour_ends)
    SELECT ${game_id}, 'production', 'spoiled-' || n, 2, 2, now(), 0 FROM ${numbers}`);
  await game.execute(sql`
    INSERT INTO save_versions
      (game_id, environment, player_id, place, version, data, app_version, saved_at)
    SELECT ${game_id}, 'production', 'spoiled-' || n, version, version,
           '{"coins":' || CASE version WHEN 1 THEN 100 ELSE 10 END || ',"bag":"' || repeat('x', 1000) || '"}',
           CASE version WHEN 1 THEN '1.4.2' ELSE '1.5.0' END, now()
    FROM ${numbers}, generate_series(1, 2) AS version`);
}

async function insertRestoration({ database }: BenchServer, game_id: string): Promise<string> {
  const restoration_id = randomUUID();
  const question = {
    saved_from: '2000-01-01T00:00:00.000Z',
    saved_until: '2100-01-01T00:00:00.000Z',
    app_versions: ['1.5.0'],
    segment: null,
    slot: null,
    data: [{ path: ['coins'], operator: 'fell_by_half' }],
  };
  await database.ofGame(game_id).execute(sql`
    INSERT INTO save_restorations
      (game_id, environment, restoration_id, question, created_at, next_step_at)
    VALUES (${game_id}, 'production', ${restoration_id}, ${JSON.stringify(question)}::jsonb, now(),
            now())`);
  return restoration_id;
}

const server = await startBenchServer();
try {
  const [game] = await server.makeGames(1);
  const { game_id, key } = game!;
  await seedSaves(server, [game!], PLAYERS);
  await seedSpoiled(server, game_id);
  const of_game = server.database.ofGame(game_id);
  const read = async () => {
    const row = await of_game.queryOne<{ state: string; counted: number; restored: number }>(sql`
      SELECT state, counted_saves AS counted, restored_count AS restored
      FROM save_restorations WHERE game_id = ${game_id}`);
    return row!;
  };
  const prepared = {
    shape: putSave([key], 1_024, PLAYERS),
    answer_bytes: 72,
    batcher: 'saves',
  };
  const load = () => measure(server, prepared, { pause_ms: PAUSE_MS });
  say(describeMachine());
  await measure(server, prepared, { seconds: 2, pause_ms: PAUSE_MS });
  const alone = await load();

  await insertRestoration(server, game_id);
  const began_ms = performance.now();
  const counting = await load();
  while ((await read()).state === 'counting') await sleep(50);
  const counted_s = (performance.now() - began_ms) / 1_000;
  const { counted } = await read();

  await of_game.execute(sql`
    UPDATE save_restorations
    SET state = 'running', played_on = 'skip', started_at = now(), next_step_at = now()
    WHERE game_id = ${game_id}`);
  while ((await read()).restored === 0) await sleep(50);
  const before = (await read()).restored;
  const restoring_ms = performance.now();
  const restoring = await load();
  const minutes = (performance.now() - restoring_ms) / 60_000;
  const restored = (await read()).restored - before;

  const tell = (when: string, { p50_ms, p99_ms, per_second }: typeof alone) =>
    say(`p50 ${p50_ms} ms, p99 ${p99_ms} ms ${when}, ${Math.round(per_second)} saves a second`);
  tell('alone', alone);
  tell('while saves are counted', counting);
  tell('while saves are restored', restoring);
  say(`${Math.round(counted / (counted_s / 60)).toLocaleString('en')} saves a minute are counted`);
  say(
    `${Math.round(restored / minutes).toLocaleString('en')} saves a minute are restored over ${SECONDS} s`,
  );
  say(`errors: ${alone.errors + counting.errors + restoring.errors}`);
} finally {
  await server.close();
}
