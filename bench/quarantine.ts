import { decideScores } from '../packages/server/src/features/leaderboards/quarantine/decisions.ts';
import { undoDecision } from '../packages/server/src/features/leaderboards/quarantine/undo-decision.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { describeMachine, measure, say, SECONDS } from './measure.ts';
import { submitScore } from './requests.ts';
import { addRules, seedBoards } from './seed.ts';

/**
 * `npm run bench:quarantine` measures the 99th percentile of the time to submit a score, on a
 * leaderboard that has 100,000 entries, a ledger and rules. It measures first without other work, and
 * then while this process repeatedly accepts 10,000 waiting scores in one call and undoes that decision.
 */

const ENTRIES = 100_000;
const WAITING = 10_000;

async function holdScores({ database }: BenchServer, game_id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`
      INSERT INTO leaderboard_held_scores (game_id, environment, player_id, board_name, season,
        score, seq, reached_at, rule)
      SELECT game_id, environment, 'held-' || n, board_name, season, n * 100, next_seq + n, now(),
        'max_gain'
      FROM leaderboard_seasons, generate_series(1, ${WAITING}::integer) AS n
      WHERE game_id = ${game_id}`);
    await tx.execute(sql`
      UPDATE leaderboard_seasons
      SET next_seq = next_seq + ${WAITING + 1}::integer, version = version + 1
      WHERE game_id = ${game_id}`);
  });
}

const server = await startBenchServer();
try {
  const [game] = await server.makeGames(1);
  await seedBoards(server, [game!], ENTRIES);
  await addRules(server, [game!]);
  await holdScores(server, game!.game_id);
  const shape = submitScore([game!.key], ENTRIES, 'random');
  const prepared = { shape, answer_bytes: 220, batcher: 'scores with rules' };
  const season = {
    game_id: game!.game_id,
    environment: 'production',
    board_name: 'board',
    season: 1,
  } as const;
  const actor = { account: null, ip: null };
  say(describeMachine());
  await measure(server, prepared, { seconds: 2 });
  const alone = await measure(server, prepared);
  let scores = 0;
  let busy_ms = 0;
  const load = { is_over: false };
  const decide = async () => {
    while (!load.is_over) {
      const began_ms = performance.now();
      const { decision_id, decided } = await decideScores(
        server.database,
        season,
        'accept',
        null,
        actor,
      );
      await undoDecision(server.database, game!.game_id, decision_id!, actor);
      scores += decided * 2;
      busy_ms += performance.now() - began_ms;
    }
  };
  const deciding = decide();
  const during = await measure(server, prepared);
  load.is_over = true;
  await deciding;
  say(
    `p50 ${alone.p50_ms} ms, p99 ${alone.p99_ms} ms alone, ${Math.round(alone.per_second)} a second`,
  );
  say(
    `p50 ${during.p50_ms} ms, p99 ${during.p99_ms} ms meanwhile, ${Math.round(during.per_second)} a second`,
  );
  say(`${Math.round(scores / (busy_ms / 1_000))} decisions and undos a second over ${SECONDS} s`);
  say(`errors: ${alone.errors + during.errors}`);
} finally {
  await server.close();
}
