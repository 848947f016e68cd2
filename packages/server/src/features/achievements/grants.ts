import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../platform/errors.ts';
import { lockPlayer, requirePlayer } from '../../platform/players/player-lock.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { findAchievement } from './definition-store.ts';
import { postUnlock } from './unlock-events.ts';
import { deleteUnlock, findUnlockedAchievement, insertUnlock } from './unlock-store.ts';
import type { UnlockedAchievement } from './unlock-store.ts';

/** Gives a player an achievement, which may be archived, on behalf of a member of the game's team. */
export function grant(
  database: Database,
  player: PlayerKey,
  key: string,
  actor: Actor,
): Promise<{ is_new: boolean; achievement: UnlockedAchievement }> {
  const { game_id, environment, player_id } = player;
  const grantOnce = async (tx: Queryable) => {
    await requirePlayer(tx, player);
    let is_new: boolean;
    let achievement: UnlockedAchievement | null;
    // The player may lose the achievement between `insertUnlock` and
    // `findUnlockedAchievement`. The achievement is then granted again.
    do {
      if (!(await findAchievement(tx, game_id, key))) throw notFound('Achievement not found');
      is_new = await insertUnlock(tx, player, key);
      achievement = await findUnlockedAchievement(tx, player, key);
    } while (achievement === null);
    // The player is locked last, to prevent deadlocks: an erasure also locks the player after it has
    // deleted the player's data.
    await lockPlayer(tx, player);
    if (is_new) {
      await postUnlock(tx, player, key);
      await insertAuditEntry(tx, { actor, game_id }, 'grant_achievement', key, {
        environment,
        player_id,
      });
    }
    return { is_new, achievement };
  };
  // A new unlock can get into a deadlock with an erasure that has already deleted the player's other
  // unlocks.
  return retryDeadlocks(() => database.transaction(grantOnce));
}

/** Takes an achievement from a player. */
export async function revoke(
  database: Database,
  player: PlayerKey,
  key: string,
  actor: Actor,
): Promise<void> {
  const { game_id, environment, player_id } = player;
  await database.transaction(async (tx) => {
    if (!(await deleteUnlock(tx, player, key))) {
      throw notFound('The player does not have this achievement');
    }
    await insertAuditEntry(tx, { actor, game_id }, 'revoke_achievement', key, {
      environment,
      player_id,
    });
  });
}
