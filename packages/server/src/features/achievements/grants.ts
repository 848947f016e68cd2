import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../platform/errors.ts';
import { lockPlayer, requirePlayer } from '../../platform/players/player-lock.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { findAchievement } from './definition-store.ts';
import { deleteUnlock, findUnlockedAchievement, insertUnlock } from './unlock-store.ts';
import type { UnlockedAchievement } from './unlock-store.ts';

/** Gives a player an achievement by hand, an archived one too. */
export async function grant(
  database: Database,
  player: PlayerKey,
  key: string,
  actor: Actor,
): Promise<{ is_new: boolean; achievement: UnlockedAchievement }> {
  // An erasure may wait for an unlock that came after it had taken the others.
  return retryDeadlocks(() => database.transaction((tx) => grantOnce(tx, player, key, actor)));
}

async function grantOnce(
  tx: Queryable,
  player: PlayerKey,
  key: string,
  actor: Actor,
): Promise<{ is_new: boolean; achievement: UnlockedAchievement }> {
  const { game_id, environment, player_id } = player;
  await requirePlayer(tx, player);
  let is_new: boolean;
  let achievement: UnlockedAchievement | null;
  // Who has it already may lose it between the two; then it is given anew.
  do {
    if (!(await findAchievement(tx, game_id, key))) throw notFound('Achievement not found');
    is_new = await insertUnlock(tx, player, key);
    achievement = await findUnlockedAchievement(tx, player, key);
  } while (achievement === null);
  // Last, as an erasure takes a player's data first: in another order they would wait for each other.
  await lockPlayer(tx, player);
  if (is_new) {
    await insertAuditEntry(tx, actor, {
      game_id,
      action: 'grant_achievement',
      target: key,
      details: { environment, player_id },
    });
  }
  return { is_new, achievement };
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
    await insertAuditEntry(tx, actor, {
      game_id,
      action: 'revoke_achievement',
      target: key,
      details: { environment, player_id },
    });
  });
}
