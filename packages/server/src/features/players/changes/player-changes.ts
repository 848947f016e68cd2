import { MAX_TAGS } from '@overworld/contract/players/players';
import { forgetPlayer, insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../../platform/errors.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { forgetPlayerName, notePlayerName } from '../../../platform/players/player-names.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { eraseData } from '../../../platform/players/player-tables.ts';
import { postEvent } from '../../../platform/webhooks/post-event.ts';
import { requireMovedEvents } from '../merges/player-data.ts';
import type { SentUpdate } from '../player-body.ts';
import { propertiesTooLarge, tooManyTags } from '../writes/player-writer.ts';
import { deletePlayer, getPlayer, lockPlayerForUpdate, updatePlayer } from '../store.ts';
import type { Player } from '../../../platform/players/player.ts';

/**
 * Changes properties and tags of a player.
 * @throws ApiError 404 when there is no such player, 400 for too many tags, 413 for too large
 * properties.
 */
export function changePlayer(
  database: Database,
  player: PlayerKey,
  update: SentUpdate,
  actor: Actor,
): Promise<Player> {
  return database.transaction(async (tx) => {
    const before = await lockPlayerForUpdate(tx, player);
    if (before === null) throw notFound('Player not found');
    const { set_properties, remove_properties, add_tags, remove_tags } = update;
    const kept = before.filter((tag) => !remove_tags.includes(tag));
    const tags = [...new Set([...kept, ...add_tags])];
    if (tags.length > MAX_TAGS) throw tooManyTags();
    const changed = await updatePlayer(tx, player, update, tags);
    if (changed === null) throw propertiesTooLarge();
    await notePlayerName(tx, player);
    await insertAuditEntry(
      tx,
      { actor, game_id: player.game_id },
      'update_player',
      player.player_id,
      { environment: player.environment, set_properties, remove_properties, add_tags, remove_tags },
    );
    return changed;
  });
}

/**
 * Erases the player and its data in every feature, in one transaction. If there are many events, most of them
 * are erased in parts before that transaction. If the erasure is interrupted meanwhile, the player still
 * exists, with the remaining events.
 * @param record Records the erasure in its transaction.
 * @throws ApiError 404 when there is no such player, 409 while events of a merge move.
 */
export async function erasePlayer(
  database: Database,
  sources: readonly PlayerDataSource[],
  player: PlayerKey,
  record: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await getPlayer(database, player);
  await requireMovedEvents(database, player);
  for (const source of sources) await source.eraseMost?.(database, player);
  // Ingest of the player's events locks the same rows in another order, so there may be deadlocks.
  return retryDeadlocks(() => database.transaction((tx) => eraseOnce(tx, sources, player, record)));
}

async function eraseOnce(
  tx: Queryable,
  sources: readonly PlayerDataSource[],
  player: PlayerKey,
  record: (tx: Queryable) => Promise<void>,
): Promise<void> {
  const eraseAll = async () => {
    for (const source of sources) await eraseData(tx, source, player);
  };
  await requireMovedEvents(tx, player);
  await eraseAll();
  if (!(await deletePlayer(tx, player))) throw notFound('Player not found');
  // The deletion waited for transactions that had locked the player. The rows that they have written are
  // erased too.
  await eraseAll();
  await forgetPlayerName(tx, player);
  await forgetPlayer(tx, player);
  const { game_id, environment, player_id } = player;
  await record(tx);
  // The text of the message contains the id, as the audit log does. The message itself belongs to no
  // player, so another erasure does not delete it.
  await postEvent(tx, {
    game_id,
    environment,
    type: 'player.erased',
    player_id: null,
    data: { game_id, environment, player_id, erased_at: new Date().toISOString() },
  });
}
