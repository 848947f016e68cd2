import { randomUUID } from 'node:crypto';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { forgetScores, insertDecision } from '../quarantine/decision-store.ts';
import { hideEntries, lockSeasonsOf } from '../quarantine/hidden-entries.ts';
import { changesOfAll, storeSeasonChanges } from '../seasons/season-changes.ts';
import { lockSeason } from '../seasons/season-store.ts';
import type { SeasonKey } from '../store.ts';

/**
 * Removes one entry; the entries behind it move up, on every server. The removal can be undone.
 * @throws ApiError 404.
 */
export async function removeEntry(
  database: Database,
  season: SeasonKey,
  player_id: string,
  actor: Actor,
): Promise<void> {
  const { game_id, environment, board_name } = season;
  await database.transaction(async (tx) => {
    const decision_id = randomUUID();
    const locked = await lockSeason(tx, season);
    const hidden_as = { state: 'removed', decision_id } as const;
    const hidden = locked && (await hideEntries(tx, [locked], player_id, hidden_as));
    const removed = hidden?.scores[0];
    if (!removed) throw notFound('Entry not found');
    await storeSeasonChanges(tx, hidden!.changes);
    const decision = { decision_id, kind: 'remove', score_count: 1, scores: [removed] } as const;
    await insertDecision(tx, season, decision, actor);
    await insertAuditEntry(tx, actor, {
      game_id,
      action: 'delete_leaderboard_entry',
      target: board_name,
      details: { environment, season: season.season, player_id, score: removed.score, decision_id },
    });
  });
}

/** Erases all scores and bans of a player, of past seasons too. */
export async function removePlayer(tx: Queryable, player: PlayerKey): Promise<void> {
  const { player_id } = player;
  for (;;) {
    const seasons = await lockSeasonsOf(tx, player);
    // No scores are left, unless a submit came between the first look and the locks.
    if (seasons.length === 0) break;
    const hidden = await hideEntries(tx, seasons, player_id, null);
    await tx.execute(sql`DELETE FROM leaderboard_held_scores WHERE ${isOfPlayer(player)}`);
    await storeSeasonChanges(tx, changesOfAll(seasons, hidden.changes));
  }
  await tx.execute(sql`DELETE FROM leaderboard_submits WHERE ${isOfPlayer(player)}`);
  await forgetScores(tx, player);
  await tx.execute(sql`DELETE FROM leaderboard_decisions WHERE ${isOfPlayer(player)}`);
}
