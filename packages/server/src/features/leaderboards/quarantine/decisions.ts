import { randomUUID } from 'node:crypto';
import { MAX_DECIDED_SCORES, SHOWN_SCORES } from '@overworld/contract/leaderboards/decisions';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { conflict } from '../../../platform/errors.ts';
import { restAfter } from '../../../platform/rest.ts';
import { storeSeasonChanges } from '../seasons/season-changes.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import { lockSeason } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import type { SeasonKey } from '../store.ts';
import { countWaiting } from './waiting-scores.ts';
import { acceptScores, BEFORE_ALL, removeScores } from './decided-scores.ts';
import { extendDecision, insertDecision } from './decision-store.ts';
import type { DecidedScore } from './decision-store.ts';

/**
 * The number of scores that are decided while the season is locked once. The lock makes submits to the board
 * wait for some 5 ms.
 */
export const CHUNK_SIZE = 100;

/** The result of a request: the scores that it has decided, and the number of scores that still wait. */
interface DecisionOutcome {
  decision_id: string | null;
  decided: number;
  scores: DecidedScore[];
  waiting: number;
}

const ACTIONS = { accept: 'accept_scores', remove: 'remove_scores' } as const;

/**
 * Decides waiting scores of a season in small parts, so that submits to the board can run between the parts.
 * If the call is cut off, the decided scores stay decided, and the others still wait.
 * @param player_ids The players whose scores are decided. Null to decide the scores that have waited longest.
 * @returns the outcome. If none of the scores was waiting, nothing is stored, and `decision_id` is null.
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
  // The decision is stored in the transaction that decides the first part. So the decision and the audit log
  // can list scores of this part.
  const begin = async (tx: Queryable, score_count: number, scores: readonly DecidedScore[]) => {
    await insertDecision(tx, season, { decision_id, kind, score_count, scores }, actor);
    await insertAuditEntry(tx, { actor, game_id }, ACTIONS[kind], board_name, {
      environment,
      season: season.season,
      decision_id,
      players: player_ids?.length ?? 'all',
      scores: nameScores(scores),
    });
  };
  let has_begun = false;
  for (const chosen of cutChunks(player_ids)) {
    for (let after_seq = BEFORE_ALL; ;) {
      const limit = Math.min(CHUNK_SIZE, MAX_DECIDED_SCORES - decided);
      const outcome = await changeSeason(database, season, async (tx, locked) => {
        const choice = { player_ids: chosen, after_seq, limit };
        const { count, scores, change, last_seq } = await decide(tx, locked, decision_id, choice);
        const further = scores.slice(0, SHOWN_SCORES - shown.length);
        if (!has_begun) {
          if (count > 0) await begin(tx, count, further);
        } else if (!(await extendDecision(tx, season, decision_id, count, further))) {
          throw conflict('The decision was undone meanwhile');
        }
        return { count, change, further, last_seq };
      });
      if (outcome === null) break;
      has_begun ||= outcome.count > 0;
      shown.push(...outcome.further);
      decided += outcome.count;
      after_seq = outcome.last_seq ?? after_seq;
      if (chosen !== null || outcome.count === 0 || decided >= MAX_DECIDED_SCORES) break;
    }
  }
  const waiting = await countWaiting(database, season);
  return { decision_id: has_begun ? decision_id : null, decided, scores: shown, waiting };
}

/**
 * Makes the list of scores for the audit log. It has only the first scores, and does not contain names of
 * players.
 */
export const nameScores = (scores: readonly DecidedScore[]) =>
  scores.slice(0, SHOWN_SCORES).map(({ player_id, score }) => ({ player_id, score }));

function cutChunks(player_ids: readonly string[] | null): (string[] | null)[] {
  if (player_ids === null) return [null];
  const chunks: string[][] = [];
  for (let first = 0; first < player_ids.length; first += CHUNK_SIZE) {
    chunks.push(player_ids.slice(first, first + CHUNK_SIZE));
  }
  return chunks;
}

/**
 * Changes a season in a short transaction. Then waits twice as long as the season was locked, so that submits
 * are not held up.
 * @returns null if the season no longer exists.
 */
export async function changeSeason<Outcome extends { change: SeasonChange }>(
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
  await restAfter(locked_ms, { times: 2 });
  return outcome;
}
