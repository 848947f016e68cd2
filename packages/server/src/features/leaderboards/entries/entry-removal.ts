import { randomUUID } from 'node:crypto';
import type { Keeps } from '@overworld/contract/leaderboards/kept-scores';
import type { TakenOffState } from '@overworld/contract/leaderboards/taken-off';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { badRequest, conflict, notFound } from '../../../platform/errors.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { forgetScores, insertDecision } from '../quarantine/decision-store.ts';
import type { Decision } from '../quarantine/decision-store.ts';
import { hideEntries, lockSeasonsOf } from '../quarantine/hidden-scores.ts';
import { changesOfAll, storeSeasonChanges } from '../seasons/season-changes.ts';
import { lockSeason } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';

/**
 * Hides one entry of a board: `state` says whether the entry then waits for a decision or counts as removed.
 * The entries behind it move up on every server. The removal can be undone.
 * @throws ApiError 404 when there is no such entry, 400 when `state` is `waiting` on a
 * board that keeps the latest score or the sum, and 409 when it is `waiting` and another score of the player
 * waits already.
 */
export async function takeOffEntry(
  database: Database,
  season: SeasonKey,
  player_id: string,
  { state, reason }: { state: TakenOffState; reason: string | null },
  actor: Actor,
): Promise<Decision> {
  const { game_id, environment, board_name } = season;
  return database.transaction(async (tx) => {
    const decision_id = randomUUID();
    const locked = await lockSeason(tx, season);
    if (locked === null) throw entryNotFound();
    if (state === 'waiting') {
      if (locked.keeps !== 'best') throw cannotWait(locked.keeps);
      await requireNoneWaiting(tx, locked, player_id);
    }
    const hidden = await hideEntries(tx, [locked], [player_id], { state, decision_id });
    const [taken] = hidden.scores;
    if (taken === undefined) throw entryNotFound();
    await storeSeasonChanges(tx, hidden.changes);
    const kind = state === 'waiting' ? 'quarantine' : 'remove';
    const scores = [taken];
    const decision = { decision_id, kind, player_id, reason, score_count: 1, scores } as const;
    const made = await insertDecision(tx, season, decision, actor);
    await insertAuditEntry(
      tx,
      { actor, game_id },
      state === 'waiting' ? 'take_off_entry' : 'delete_leaderboard_entry',
      board_name,
      {
        environment,
        season: season.season,
        player_id,
        score: taken.score,
        decision_id,
        ...(reason === null ? {} : { reason }),
      },
    );
    return made!;
  });
}

const cannotWait = (keeps: Keeps) =>
  badRequest(
    `state must be removed on a board that keeps the ${keeps}: a later score would count before one that waits`,
  );

const entryNotFound = () => notFound('Entry not found');

async function requireNoneWaiting(
  tx: Queryable,
  season: LockedSeason,
  player_id: string,
): Promise<void> {
  const waiting = await tx.execute(sql`
    SELECT FROM leaderboard_held_scores
    WHERE ${ofSeason(season)} AND player_id = ${player_id} AND state = 'waiting'`);
  if (waiting === 0) return;
  throw conflict('Another score of the player waits already: accept or remove that one first');
}

/** Erases the public and hidden scores of a player in all seasons, and removes the player from decisions. */
export async function removePlayer(tx: Queryable, player: PlayerKey): Promise<void> {
  const { player_id } = player;
  for (;;) {
    const seasons = await lockSeasonsOf(tx, player);
    // The second turn of this loop finds no season, unless a submit came
    // between the first look and the locks.
    if (seasons.length === 0) break;
    const hidden = await hideEntries(tx, seasons, [player_id], null);
    await tx.execute(sql`DELETE FROM leaderboard_held_scores WHERE ${isOfPlayer(player)}`);
    await storeSeasonChanges(tx, changesOfAll(seasons, hidden.changes));
  }
  await forgetScores(tx, player);
}
