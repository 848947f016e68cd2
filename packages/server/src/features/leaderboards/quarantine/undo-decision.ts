import type { Environment } from '@overworld/contract/common';
import type { DecisionKind } from '@overworld/contract/leaderboards/decisions';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';
import { acceptScores, BEFORE_ALL } from './decided-scores.ts';
import type { DecidedScore } from './decision-store.ts';
import { changeSeason, CHUNK_SIZE, nameScores } from './decisions.ts';
import { undoScores } from './undone-scores.ts';

/** A decision that can be undone. */
interface OpenDecision {
  environment: Environment;
  board_name: string;
  kind: DecisionKind;
  player_id: string | null;
  scores: DecidedScore[];
  undone_at: string | null;
}

/**
 * Undoes a decision: accepted scores wait for a decision again, removed scores
 * come back, an entry that was made to wait is public again, or a ban ends.
 * @returns the number of restored scores, and the number of scores that
 * were skipped, for example because their players have newer scores.
 * @throws ApiError 404 when there is no such decision, and 409 if it is undone already.
 */
export async function undoDecision(
  database: Database,
  game_id: string,
  decision_id: string,
  actor: Actor,
): Promise<{ restored: number; skipped: number }> {
  const decision = await database.queryOne<OpenDecision>(sql`
    SELECT environment, board_name, kind, player_id, scores, undone_at
    FROM leaderboard_decisions
    WHERE game_id = ${game_id} AND environment = ANY(enum_range(NULL::environment))
      AND decision_id = ${decision_id}`);
  if (decision === null) throw notFound('Decision not found');
  if (decision.undone_at !== null) throw isUndone();
  const end = (tx: Queryable) => endDecision(tx, game_id, decision_id, decision, actor);
  if (decision.kind === 'quarantine') return undoTakenOff(database, game_id, decision_id, end);
  const sum = { restored: 0, skipped: 0 };
  for (;;) {
    await undoInSteps(database, game_id, decision_id, decision, sum);
    // A ban ends only when its scores are restored. Until then, no new score can take the place of a
    // hidden one.
    const ended = await database.transaction(end);
    if (ended === 'before' && sum.restored + sum.skipped === 0) throw isUndone();
    if (ended !== null) return sum;
  }
}

/** Undoes a decision in all its seasons, in small parts, so that submits can run between the parts. */
async function undoInSteps(
  database: Database,
  game_id: string,
  decision_id: string,
  { kind }: OpenDecision,
  sum: { restored: number; skipped: number },
): Promise<void> {
  const seasons = await database.query<SeasonKey>(sql`
    SELECT DISTINCT game_id, environment, board_name, season FROM leaderboard_held_scores
    WHERE game_id = ${game_id} AND decision_id = ${decision_id}`);
  for (const season of seasons) {
    for (let count = 1; count > 0;) {
      const undone = await changeSeason(database, season, async (tx, locked) => {
        // While the season is locked, no other ban of the player can begin.
        if (kind === 'ban') await passToOtherBan(tx, locked, decision_id);
        return undoScores(tx, locked, decision_id, CHUNK_SIZE);
      });
      sum.restored += undone?.restored ?? 0;
      sum.skipped += undone?.skipped ?? 0;
      count = undone === null ? 0 : undone.restored + undone.skipped;
    }
  }
}

/**
 * Makes an entry public again that a member made to wait. The entry is stored
 * in the same way as an accepted one. The entry is skipped if it has been
 * decided since, or if a better score that broke a rule waits in its place.
 */
async function undoTakenOff(
  database: Database,
  game_id: string,
  decision_id: string,
  end: (tx: Queryable) => Promise<Ended>,
): Promise<{ restored: number; skipped: number }> {
  const find = (queryable: Queryable) =>
    queryable.queryOne<SeasonKey & { player_id: string }>(sql`
      SELECT game_id, environment, held.board_name, season, player_id
      FROM leaderboard_decisions
      JOIN leaderboard_held_scores AS held USING (game_id, environment, player_id)
      WHERE game_id = ${game_id} AND environment = ANY(enum_range(NULL::environment))
        AND leaderboard_decisions.decision_id = ${decision_id} AND quarantined_by = ${decision_id}
        AND state = 'waiting' AND rule = 'by_hand'`);
  // Of several undos at the same time, one ends the decision, and the others change nothing.
  const endOnce = async (tx: Queryable) => {
    if ((await end(tx)) === 'before') throw isUndone();
  };
  const found = await find(database);
  const undone =
    found &&
    (await changeSeason(database, found, async (tx, locked) => {
      const held = await find(tx);
      const player_ids = held === null ? [] : [held.player_id];
      const choice = { player_ids, after_seq: BEFORE_ALL, limit: 1 };
      const { count, change } = await acceptScores(tx, locked, decision_id, choice);
      await tx.execute(sql`
        DELETE FROM leaderboard_held_scores
        WHERE ${ofSeason(locked)} AND decision_id = ${decision_id}`);
      await endOnce(tx);
      return { change, restored: count };
    }));
  if (undone === null) await database.transaction(endOnce);
  const restored = undone?.restored ?? 0;
  return { restored, skipped: 1 - restored };
}

/** Tells whether this undo or an earlier one ended the decision; null while the decision has scores left. */
type Ended = 'now' | 'before' | null;

/** Ends a decision if it has no scores left. */
async function endDecision(
  tx: Queryable,
  game_id: string,
  decision_id: string,
  { environment, board_name, kind, player_id, scores }: OpenDecision,
  actor: Actor,
): Promise<Ended> {
  // This lock waits until scores that are being decided are stored.
  // From then until the commit, no further scores can be decided.
  const is_open = await tx.queryOne(sql`
    SELECT FROM leaderboard_decisions
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND decision_id = ${decision_id} AND undone_at IS NULL
    FOR NO KEY UPDATE`);
  if (is_open === null) return 'before';
  const left = await tx.queryOne(sql`
    SELECT FROM leaderboard_held_scores
    -- A deleted season has no scores to bring back.
    JOIN leaderboard_seasons USING (game_id, environment, board_name, season)
    WHERE game_id = ${game_id} AND decision_id = ${decision_id}
    LIMIT 1`);
  if (left !== null) return null;
  await tx.execute(sql`
    UPDATE leaderboard_decisions SET undone_at = now()
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND decision_id = ${decision_id}`);
  await insertAuditEntry(
    tx,
    { actor, game_id },
    'undo_leaderboard_decision',
    board_name || 'all boards',
    {
      environment,
      decision_id,
      kind,
      ...(player_id === null ? {} : { player_id }),
      scores: nameScores(scores),
    },
  );
  return 'now';
}

const isUndone = () => conflict('The decision is undone already');

/**
 * If another ban of the player is in force, that ban hides these scores from now on. The player is read
 * from the scores, because a merge may have moved both the scores and the ban after the ban was read.
 */
async function passToOtherBan(
  tx: Queryable,
  season: LockedSeason,
  decision_id: string,
): Promise<void> {
  const { game_id, environment, board_name } = season;
  await tx.execute(sql`
    UPDATE leaderboard_held_scores AS held SET decision_id = other.decision_id
    FROM leaderboard_decisions AS other
    WHERE ${ofSeason(season, sql`held`)} AND held.decision_id = ${decision_id}
      AND other.game_id = ${game_id} AND other.environment = ${environment}
      AND other.player_id = held.player_id AND other.kind = 'ban' AND other.undone_at IS NULL
      AND other.decision_id <> ${decision_id}
      AND other.board_name = ANY(ARRAY['', ${board_name}])`);
}
