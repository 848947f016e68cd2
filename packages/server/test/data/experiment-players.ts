import assert from 'node:assert/strict';
import type { ExperimentResults } from '@overworld/contract/remote-config/experiment-results';
import type { TestServer } from '../harness.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { TEST_DAY } from '../past-day.ts';
import type { Studio } from '../../src/features/experiments/test/studio.ts';

/** Exposes players to a variant, `at_s` seconds after the start of yesterday (UTC). */
export async function exposePlayers(
  server: TestServer,
  { game_id }: Studio,
  { experiment_id, variant, at_s }: { experiment_id: string; variant: number; at_s: number },
  players: readonly string[],
): Promise<void> {
  await server.database.execute(sql`
    INSERT INTO experiment_exposures
      (game_id, environment, player_id, experiment_id, variant, exposed_at)
    SELECT ${game_id}, 'production', player_id, ${experiment_id}, ${variant},
           ${TEST_DAY}::timestamptz + make_interval(secs => ${at_s})
    FROM unnest(${players}::text[]) AS player_id`);
}

/** Moves the start of the game's experiments to `days` days before yesterday. */
export async function backdateStart(
  server: TestServer,
  { game_id }: Studio,
  days: number,
): Promise<void> {
  await server.database.execute(sql`
    UPDATE experiments SET started_at = ${TEST_DAY}::timestamptz - make_interval(days => ${days})
    WHERE game_id = ${game_id}`);
}

export async function readResults(studio: Studio, id: string): Promise<ExperimentResults> {
  const { status, body, text } = await studio.steer('GET', `/experiments/${id}/results`);
  assert.equal(status, 200, text);
  return body;
}
