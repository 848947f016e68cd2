import type { Environment } from '@overworld/contract/common';
import type { DecisionKind } from '@overworld/contract/leaderboards/quarantine';
import type { Actor } from '../../../platform/audit.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { BoardKey } from '../store.ts';

/** A decision about scores that wait, or about a player. */
export interface Decision {
  decision_id: string;
  /** Null: all boards. */
  board_name: string | null;
  kind: DecisionKind;
  /** The banned player; null for other decisions. */
  player_id: string | null;
  reason: string | null;
  score_count: number;
  /** E-mail address; null when the account is gone. */
  decided_by: string | null;
  decided_at: string;
  undone_at: string | null;
}

export interface NewDecision {
  decision_id: string;
  kind: DecisionKind;
  player_id?: string;
  reason?: string | null;
  score_count?: number;
}

const decisionColumns = sql`decision_id, nullif(board_name, '') AS board_name, kind, player_id,
  reason, score_count, decided_at, undone_at,
  (SELECT email FROM accounts WHERE accounts.id = decided_by) AS decided_by`;

/**
 * @param board Its `board_name` is empty for all boards.
 * @returns null if the player is banned there already.
 */
export async function insertDecision(
  tx: Queryable,
  { game_id, environment, board_name }: BoardKey,
  decision: NewDecision,
  actor: Actor,
): Promise<Decision | null> {
  const { decision_id, kind, player_id, reason, score_count = 0 } = decision;
  return tx.queryOne<Decision>(sql`
    INSERT INTO leaderboard_decisions
      (game_id, environment, board_name, decision_id, kind, player_id, reason, score_count,
        decided_by)
    VALUES (${game_id}, ${environment}, ${board_name}, ${decision_id}, ${kind}, ${player_id},
      ${reason}, ${score_count}, ${actor.account?.account_id})
    ON CONFLICT (game_id, environment, player_id, board_name)
      WHERE kind = 'ban' AND undone_at IS NULL DO NOTHING
    RETURNING ${decisionColumns}`);
}

/** Decisions about a board and about all boards, the newest first, those before `before`. */
export async function listDecisions(
  database: Queryable,
  { game_id, environment, board_name }: BoardKey,
  before: { decided_at: string; decision_id: string } | null,
  limit: number,
): Promise<(Decision & { position: string })[]> {
  return database.query(sql`
    SELECT ${decisionColumns}, decided_at::text AS position
    FROM leaderboard_decisions
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND board_name = ANY(ARRAY['', ${board_name}])
      AND (${before === null} OR (decided_at, decision_id)
        < (${before?.decided_at}::timestamptz, ${before?.decision_id}::uuid))
    ORDER BY decided_at DESC, decision_id DESC
    LIMIT ${limit}`);
}

/** The bans of a player that are in force. */
export async function listBans(
  database: Queryable,
  game_id: string,
  environment: Environment,
  player_id: string,
): Promise<Decision[]> {
  return database.query(sql`
    SELECT ${decisionColumns} FROM leaderboard_decisions
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
      AND kind = 'ban' AND undone_at IS NULL
    ORDER BY board_name`);
}
