import type { Environment } from '@overworld/contract/common';
import { SHOWN_SCORES } from '@overworld/contract/leaderboards/decisions';
import type {
  DecisionKind,
  listLeaderboardDecisions,
} from '@overworld/contract/leaderboards/decisions';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Actor } from '../../../platform/audit.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { BoardKey } from '../store.ts';

/** A score that was decided by a decision. */
export interface DecidedScore {
  player_id: string;
  player_name: string | null;
  score: number;
}

/** A decision about waiting scores, or about a player. */
export type Decision = SuccessOf<typeof listLeaderboardDecisions>['decisions'][number];

interface NewDecision {
  decision_id: string;
  kind: DecisionKind;
  player_id?: string;
  reason?: string | null;
  score_count: number;
  scores: readonly DecidedScore[];
}

const decisionColumns = sql`decision_id, nullif(board_name, '') AS board_name, kind, player_id, reason,
  score_count, scores, decided_at, undone_at`;

/**
 * Stores a new decision.
 * @param board Its `board_name` is empty for a ban from all boards.
 * @returns null for a ban that is in force already.
 */
export async function insertDecision(
  tx: Queryable,
  { game_id, environment, board_name }: BoardKey,
  decision: NewDecision,
  actor: Actor,
): Promise<Decision | null> {
  const { decision_id, kind, player_id, reason, score_count, scores } = decision;
  const stored = await tx.queryOne<Omit<Decision, 'decided_by'>>(sql`
    INSERT INTO leaderboard_decisions
      (game_id, environment, board_name, decision_id, kind, player_id, reason, score_count,
        scores, decided_by)
    VALUES (${game_id}, ${environment}, ${board_name}, ${decision_id}, ${kind}, ${player_id},
      ${reason}, ${score_count}, ${writeScores(scores)}::jsonb, ${actor.account?.account_id})
    ON CONFLICT (game_id, environment, player_id, board_name)
      WHERE kind = 'ban' AND undone_at IS NULL DO NOTHING
    RETURNING ${decisionColumns}`);
  return stored && { ...stored, decided_by: actor.account?.email ?? null };
}

/**
 * Adds scores to a decision that is still being made.
 * @param further Scores that the decision shows after the scores that it shows already. (An erasure may have
 * removed some of those.)
 * @returns false if somebody has undone the decision.
 */
export async function extendDecision(
  tx: Queryable,
  { game_id, environment }: BoardKey,
  decision_id: string,
  added_scores: number,
  further: readonly DecidedScore[],
): Promise<boolean> {
  const extended = await tx.execute(sql`
    UPDATE leaderboard_decisions
    SET score_count = score_count + ${added_scores}, scores = scores || ${writeScores(further)}::jsonb
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND decision_id = ${decision_id} AND undone_at IS NULL`);
  return extended === 1;
}

const writeScores = (scores: readonly DecidedScore[]) =>
  JSON.stringify(scores.slice(0, SHOWN_SCORES));

/** Removes a player from the scores that decisions show. */
export async function forgetScores(tx: Queryable, player: PlayerKey): Promise<void> {
  const { game_id, environment, player_id } = player;
  await tx.execute(sql`
    UPDATE leaderboard_decisions
    SET scores = (
      SELECT coalesce(jsonb_agg(decided), '[]') FROM jsonb_array_elements(scores) AS decided
      WHERE decided ->> 'player_id' <> ${player_id})
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND scores @> jsonb_build_array(jsonb_build_object('player_id', ${player_id}::text))`);
}

/** Replaces the player's id by `new_player_id` in all scores that decisions show. */
export async function renameScores(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  new_player_id: string,
): Promise<void> {
  await tx.execute(sql`
    UPDATE leaderboard_decisions
    SET scores = (
      SELECT jsonb_agg(
        CASE WHEN decided ->> 'player_id' = ${player_id}
          THEN jsonb_set(decided, '{player_id}', to_jsonb(${new_player_id}::text))
          ELSE decided END
        ORDER BY place)
      FROM jsonb_array_elements(scores) WITH ORDINALITY AS shown (decided, place))
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND scores @> jsonb_build_array(jsonb_build_object('player_id', ${player_id}::text))`);
}

/** Lists the decisions about a board or about all boards that are older than `before`, the newest first. */
export async function listDecisions(
  database: Queryable,
  { game_id, environment, board_name }: BoardKey,
  before: { position: string; decision_id: string } | null,
  limit: number,
): Promise<(Decision & { position: string })[]> {
  return findDeciders(
    database,
    await database.query<Decided & { position: string }>(sql`
    SELECT ${decisionColumns}, decided_by AS account_id, decided_at::text AS position
    FROM leaderboard_decisions
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND board_name = ANY(ARRAY['', ${board_name}])
      AND (${before === null} OR (decided_at, decision_id)
        < (${before?.position}::timestamptz, ${before?.decision_id}::uuid))
    ORDER BY decided_at DESC, decision_id DESC
    LIMIT ${limit}`),
  );
}

/** Lists the bans of a player that are in force. */
export async function listBans(
  database: Queryable,
  game_id: string,
  environment: Environment,
  player_id: string,
): Promise<Decision[]> {
  return findDeciders(
    database,
    await database.query<Decided>(sql`
    SELECT ${decisionColumns}, decided_by AS account_id FROM leaderboard_decisions
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
      AND kind = 'ban' AND undone_at IS NULL
    ORDER BY board_name`),
  );
}

/** A decision as it is stored, with the id of the account that decided. */
type Decided = Omit<Decision, 'decided_by'> & { account_id: string | null };

/**
 * Adds the e-mail addresses of the accounts that decided. A separate statement
 * reads the accounts, because on a cluster they are on another node.
 */
async function findDeciders<Row extends Decided>(
  database: Queryable,
  rows: readonly Row[],
): Promise<(Omit<Row, 'account_id'> & Decision)[]> {
  const ids = [...new Set(rows.flatMap(({ account_id }) => account_id ?? []))];
  const accounts =
    ids.length === 0
      ? []
      : await database.query<{ id: string; email: string }>(sql`
    SELECT id, email FROM accounts WHERE id = ANY(${ids}::uuid[])`);
  const emails = new Map(accounts.map(({ id, email }) => [id, email]));
  return rows.map(({ account_id, ...row }) => ({
    ...row,
    decided_by: (account_id && emails.get(account_id)) ?? null,
  }));
}
