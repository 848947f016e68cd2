import { forgetPlayer, insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../platform/errors.ts';
import type { PlayerDataSource, PlayerKey } from '../../platform/player-presence.ts';
import type { SentUpdate } from './player-body.ts';
import { propertiesTooLarge } from './player-writer.ts';
import { deletePlayer, lockPlayerForUpdate, updatePlayer } from './store.ts';
import type { Player } from './store.ts';

/** Changes properties and tags. @throws ApiError 404, or 413 when the properties are too large. */
export function changePlayer(
  database: Database,
  player: PlayerKey,
  update: SentUpdate,
  actor: Actor,
): Promise<Player> {
  return database.transaction(async (tx) => {
    if (!(await lockPlayerForUpdate(tx, player))) throw notFound('Player not found');
    const changed = await updatePlayer(tx, player, update);
    if (changed === null) throw propertiesTooLarge();
    const { set_properties, remove_properties, tags } = update;
    await insertAuditEntry(tx, actor, {
      game_id: player.game_id,
      action: 'update_player',
      target: player.player_id,
      details: {
        environment: player.environment,
        set_properties,
        remove_properties,
        ...(tags === null ? {} : { tags }),
      },
    });
    return changed;
  });
}

/**
 * Erases the player and what every feature keeps of it, all or nothing.
 * @throws ApiError 404 when it does not exist.
 */
export function erasePlayer(
  database: Database,
  sources: readonly PlayerDataSource[],
  player: PlayerKey,
  actor: Actor,
): Promise<void> {
  // Events of the player that arrive at this moment lock the same rows in another order.
  return retryDeadlocks(() => database.transaction((tx) => eraseOnce(tx, sources, player, actor)));
}

async function eraseOnce(
  tx: Queryable,
  sources: readonly PlayerDataSource[],
  player: PlayerKey,
  actor: Actor,
): Promise<void> {
  const eraseData = async () => {
    for (const source of sources) await source.deletePlayer(tx, player);
  };
  await eraseData();
  if (!(await deletePlayer(tx, player))) throw notFound('Player not found');
  // The deletion has waited for transactions that hold the player: what they wrote goes too.
  await eraseData();
  await forgetPlayer(tx, player);
  const { game_id, environment, player_id } = player;
  await insertAuditEntry(tx, actor, {
    game_id,
    action: 'delete_player',
    target: player_id,
    details: { environment },
  });
}
