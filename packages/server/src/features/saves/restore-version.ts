import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../platform/errors.ts';
import type { ApiError } from '../../platform/errors.ts';
import { lockPlayer, requirePlayer } from '../../platform/players/player-lock.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { storeAdvances } from './change-store.ts';
import { decide } from './save-rules.ts';
import { listHeads, listVersionsOf } from './store.ts';
import type { SaveVersion } from './version-store.ts';

/**
 * Makes a new version with the data of a kept one, whatever the game saves meanwhile.
 * @param limit_reached Null below the storage limit. At the limit the version may only replace one of
 * at least its size; otherwise this is thrown.
 * @throws ApiError 404 when the player does not exist or the version is not kept.
 */
export function restoreVersion(
  database: Database,
  player: PlayerKey,
  version: number,
  actor: Actor,
  limit_reached: ApiError | null,
): Promise<SaveVersion> {
  const restoreOnce = async (tx: Queryable) => {
    await requirePlayer(tx, player);
    let restored: SaveVersion | null = null;
    while (restored === null) restored = await tryRestore(tx, player, version, limit_reached);
    // An erasure deletes a player's data first and locks the player last: so does this.
    await lockPlayer(tx, player);
    await insertAuditEntry(tx, actor, {
      game_id: player.game_id,
      action: 'restore_save_version',
      target: player.player_id,
      details: {
        environment: player.environment,
        from_version: version,
        version: restored.version,
      },
    });
    return restored;
  };
  // An erasure that has deleted the save can be in a deadlock with a new one.
  return retryDeadlocks(() => database.transaction(restoreOnce));
}

/** @returns null when the game has saved meanwhile. */
async function tryRestore(
  tx: Queryable,
  player: PlayerKey,
  version: number,
  limit_reached: ApiError | null,
): Promise<SaveVersion | null> {
  const [kept] = await listVersionsOf(tx, [{ player, version }]);
  const [head] = await listHeads(tx, [player], true);
  // Revision 0: the save was erased between the two statements.
  if (!kept || head!.revision === 0) throw notFound('Save version not found');
  const { data } = kept;
  const size_bytes = Buffer.byteLength(data);
  const decided = decide(head!, [
    { kind: 'put', player, data, size_bytes, expected_version: null, limit_reached },
  ]);
  const decision = decided.decisions[0]!;
  if (decision.kind === 'refused') throw decision.error;
  const [stored] = await storeAdvances(tx, [{ player, ...decided }]);
  if (!stored) return null;
  // The player is being erased: the data must not come back.
  if (stored.is_inserted) throw notFound('Player not found');
  const { changed_at: updated_at } = stored;
  return { version: decided.next.version, size_bytes, updated_at, is_current: true };
}
