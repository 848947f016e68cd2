import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@overworld/contract/common';
import { MAX_DECIDED_SCORES, SHOWN_SCORES } from '@overworld/contract/leaderboards/decisions';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import { storeSeasonChanges } from '../seasons/season-changes.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import { lockSeason } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';
import { countWaiting } from './held-scores.ts';
import { restoreHidden } from './hidden-entries.ts';
import { acceptScores, removeScores, undoAccepted } from './decided-scores.ts';
import { extendDecision, insertDecision } from './decision-store.ts';
import type { DecidedScore } from './decision-store.ts';

/** Scores decided while a season is locked: some 5 ms, in which submits to the board wait. */
const CHUNK_SIZE = 100;

/** The scores that a request has decided, and how many still wait. */
interface DecisionOutcome {
  decision_id: string | null;
  decided: number;
  scores: DecidedScore[];
  waiting: number;
}

const ACTIONS = { accept: 'accept_scores', remove: 'remove_scores' } as const;

/**
 * Decides waiting scores of a season, a few at a time: in between, submits to the board go on. If it is
 * cut off, the scores that are decided stay so, and the others still wait.
 * @param player_ids Null for the players who have waited longest.
 * @returns `decision_id` null if none of the scores waits: then nothing is stored.
 * @throws ApiError 409 when somebody undoes the decision before it is complete.
 */
export async function decideScores(
  database: Database,
  season: SeasonKey,
  kind: 'accept' | 'remove',
  player_ids: readonly string[] | null,
  actor: Actor,
): Promise<DecisionOutcome> {
  const { game_id, environment, board_name } = season;
  const decision_id = randomUUID();
  const decide = kind === 'accept' ? acceptScores : removeScores;
  let decided = 0;
  const shown: DecidedScore[] = [];
  // The first scores are decided together with the decision, so that it and the audit log name them.
  const begin = async (tx: Queryable, score_count: number, scores: readonly DecidedScore[]) => {
    await insertDecision(tx, season, { decision_id, kind, score_count, scores }, actor);
    await insertAuditEntry(tx, actor, {
      game_id,
      action: ACTIONS[kind],
      target: board_name,
      details: {
        environment,
        season: season.season,
        decision_id,
        players: player_ids?.length ?? 'all',
        scores: nameScores(scores),
      },
    });
  };
  let has_begun = false;
  for (const chosen of cutChunks(player_ids)) {
    for (;;) {
      const limit = Math.min(CHUNK_SIZE, MAX_DECIDED_SCORES - decided);
      const outcome = await changeSeason(database, season, async (tx, locked) => {
        const { count, scores, change } = await decide(tx, locked, decision_id, chosen, limit);
        const further = scores.slice(0, SHOWN_SCORES - shown.length);
        if (!has_begun) {
          if (count > 0) await begin(tx, count, further);
        } else if (!(await extendDecision(tx, season, decision_id, count, further))) {
          throw conflict('The decision was undone meanwhile');
        }
        return { count, change, further };
      });
      if (outcome === null) break;
      has_begun ||= outcome.count > 0;
      shown.push(...outcome.further);
      decided += outcome.count;
      if (chosen !== null || outcome.count === 0 || decided >= MAX_DECIDED_SCORES) break;
    }
  }
  const waiting = await countWaiting(database, season);
  return { decision_id: has_begun ? decision_id : null, decided, scores: shown, waiting };
}

/** Scores for the audit log: it keeps no names of players. */
const nameScores = (scores: readonly DecidedScore[]) =>
  scores.slice(0, SHOWN_SCORES).map(({ player_id, score }) => ({ player_id, score }));

function cutChunks(player_ids: readonly string[] | null): (string[] | null)[] {
  if (player_ids === null) return [null];
  const chunks: string[][] = [];
  for (let first = 0; first < player_ids.length; first += CHUNK_SIZE) {
    chunks.push(player_ids.slice(first, first + CHUNK_SIZE));
  }
  return chunks;
}

/** Changes a season by a short transaction, then rests twice as long. @returns null if it is gone. */
async function changeSeason<Outcome extends { change: SeasonChange }>(
  database: Database,
  season: SeasonKey,
  change: (tx: Queryable, locked: LockedSeason) => Promise<Outcome>,
): Promise<Outcome | null> {
  let locked_ms = 0;
  const outcome = await database.transaction(async (tx) => {
    const locked = await lockSeason(tx, season);
    if (locked === null) return null;
    const began_ms = performance.now();
    const changed = await change(tx, locked);
    await storeSeasonChanges(tx, [changed.change]);
    locked_ms = performance.now() - began_ms;
    return changed;
  });
  await sleep(2 * locked_ms);
  return outcome;
}

/** A decision that can be undone. */
interface OpenDecision {
  environment: Environment;
  board_name: string;
  kind: 'accept' | 'remove' | 'ban';
  player_id: string | null;
  scores: DecidedScore[];
  undone_at: string | null;
}

/**
 * Undoes a decision: accepted scores wait again, removed ones too, and a ban ends.
 * @returns how many scores are as before, and how many are not, because their players have newer ones.
 * @throws ApiError 404, and 409 if it is undone already.
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
  if (decision.undone_at !== null) throw conflict('The decision is undone already');
  const sum = { restored: 0, skipped: 0 };
  do {
    await undoScores(database, game_id, decision_id, decision, sum);
    // A ban ends last: until then no new score can stand in the way of those that it has hidden.
  } while (!(await endDecision(database, game_id, decision_id, decision, actor)));
  return sum;
}

async function undoScores(
  database: Database,
  game_id: string,
  decision_id: string,
  { kind }: OpenDecision,
  sum: { restored: number; skipped: number },
): Promise<void> {
  const seasons = await database.query<SeasonKey>(sql`
    SELECT DISTINCT game_id, environment, board_name, season FROM leaderboard_held_scores
    WHERE game_id = ${game_id} AND decision_id = ${decision_id}`);
  const undo = kind === 'accept' ? undoAccepted : restoreHidden;
  for (const season of seasons) {
    for (let count = 1; count > 0;) {
      const undone = await changeSeason(database, season, async (tx, locked) => {
        // The lock keeps other bans of the player away until the commit.
        if (kind === 'ban') await passToOtherBan(tx, locked, decision_id);
        return undo(tx, locked, decision_id, CHUNK_SIZE);
      });
      sum.restored += undone?.restored ?? 0;
      sum.skipped += undone?.skipped ?? 0;
      count = undone === null ? 0 : undone.restored + undone.skipped;
    }
  }
}

/** @returns whether no scores are left; otherwise the decision was still under way. */
function endDecision(
  database: Database,
  game_id: string,
  decision_id: string,
  { environment, board_name, kind, player_id, scores }: OpenDecision,
  actor: Actor,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Waits for scores that are being decided, and keeps further ones away until the commit.
    const is_open = await tx.queryOne(sql`
      SELECT FROM leaderboard_decisions
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND decision_id = ${decision_id} AND undone_at IS NULL
      FOR NO KEY UPDATE`);
    if (is_open === null) return true;
    const left = await tx.queryOne(sql`
      SELECT FROM leaderboard_held_scores
      -- A deleted season has no scores to bring back.
      JOIN leaderboard_seasons USING (game_id, environment, board_name, season)
      WHERE game_id = ${game_id} AND decision_id = ${decision_id}
      LIMIT 1`);
    if (left !== null) return false;
    await tx.execute(sql`
      UPDATE leaderboard_decisions SET undone_at = now()
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND decision_id = ${decision_id}`);
    await insertAuditEntry(tx, actor, {
      game_id,
      action: 'undo_leaderboard_decision',
      target: board_name || 'all boards',
      details: {
        environment,
        decision_id,
        kind,
        ...(player_id === null ? {} : { player_id }),
        scores: nameScores(scores),
      },
    });
    return true;
  });
}

/**
 * If another ban of the player is in force, it hides these scores from now on. The player is the one of
 * the scores, because a merge may have moved them and the ban since the ban was read.
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
