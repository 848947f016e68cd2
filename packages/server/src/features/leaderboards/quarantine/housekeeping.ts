import type { Environment } from '@overworld/contract/common';
import { UNDO_DAYS } from '@overworld/contract/leaderboards/decisions';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The maximum number of rows that one statement deletes. So many rows take about 50 ms. */
const BATCH_ROWS = 5_000;

/** Deletes ledger rows that are older than their boards' `ledger_days`; called by a timer. */
export async function trimLedgers(database: Database): Promise<void> {
  let last = {
    game_id: null as string | null,
    environment: 'production' as Environment,
    board_name: '',
  };
  for (;;) {
    // This takes one step through the index per board, however many rows the board has.
    const board = await database.queryOne<{
      game_id: string;
      environment: Environment;
      board_name: string;
      ledger_days: number;
    }>(sql`
      SELECT submit.game_id, submit.environment, submit.board_name, coalesce(ledger_days, 1) AS ledger_days
      FROM (
        SELECT game_id, environment, board_name FROM leaderboard_submits
        WHERE ${last.game_id === null} OR (game_id, environment, board_name)
          > (${last.game_id}::uuid, ${last.environment}::environment, ${last.board_name})
        ORDER BY game_id, environment, board_name
        LIMIT 1
      ) AS submit
      LEFT JOIN leaderboards USING (game_id, board_name)`);
    if (board === null) return;
    const { game_id, environment, board_name, ledger_days } = board;
    const before_version = (Date.now() - ledger_days * 86_400_000) * 1_000;
    for (let deleted = BATCH_ROWS; deleted === BATCH_ROWS;) {
      deleted = await database.execute(sql`
        DELETE FROM leaderboard_submits
        WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM leaderboard_submits
          WHERE game_id = ${game_id} AND environment = ${environment}
            AND board_name = ${board_name} AND version < ${before_version}
          LIMIT ${BATCH_ROWS}))`);
    }
    last = board;
  }
}

/** Deletes decisions that can no longer be undone, with their scores; called by a timer. */
export async function deleteOldDecisions(database: Database): Promise<void> {
  await database.execute(sql`
    WITH old AS (
      DELETE FROM leaderboard_decisions AS decision
      WHERE decided_at < now() - make_interval(days => ${UNDO_DAYS})
        AND (kind <> 'ban' OR undone_at IS NOT NULL)
        AND (kind <> 'quarantine' OR NOT EXISTS (
          SELECT FROM leaderboard_held_scores AS held
          WHERE held.game_id = decision.game_id AND held.environment = decision.environment
            AND held.player_id = decision.player_id AND quarantined_by = decision.decision_id
            AND state = 'waiting'))
      RETURNING game_id, decision_id
    )
    DELETE FROM leaderboard_held_scores AS held
    USING old
    WHERE held.game_id = old.game_id AND held.decision_id = old.decision_id`);
}
