import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../platform/errors.ts';
import { lockPlayer } from '../../platform/player-lock.ts';
import type { PlayerKey } from '../../platform/player-presence.ts';
import { findAchievement } from './definition-store.ts';
import { deleteUnlock, getUnlockedAchievement, insertUnlock } from './unlock-store.ts';
import type { UnlockedAchievement } from './unlock-store.ts';

interface Granted {
  /** Whether the player did not have it. */
  is_new: boolean;
  achievement: UnlockedAchievement;
}

/** Gives a player an achievement by hand, an archived one too. */
export const grant = (
  database: Database,
  player: PlayerKey,
  key: string,
  actor: Actor,
): Promise<Granted> =>
  retryDeadlocks(() => database.transaction((tx) => grantOnce(tx, player, key, actor)));

async function grantOnce(
  tx: Queryable,
  player: PlayerKey,
  key: string,
  actor: Actor,
): Promise<Granted> {
  const { game_id, environment, player_id } = player;
  await lockPlayer(tx, player);
  if (!(await findAchievement(tx, game_id, key))) throw notFound('Achievement not found');
  const is_new = await insertUnlock(tx, player, key);
  if (is_new) {
    await insertAuditEntry(tx, actor, {
      game_id,
      action: 'grant_achievement',
      target: key,
      details: { environment, player_id },
    });
  }
  return { is_new, achievement: await getUnlockedAchievement(tx, player, key) };
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
