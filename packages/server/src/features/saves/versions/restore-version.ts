import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../../platform/errors.ts';
import type { ApiError } from '../../../platform/errors.ts';
import { lockPlayer, requirePlayer } from '../../../platform/players/player-lock.ts';
import type { SaveKey } from '../save-key.ts';
import { listHeads, listVersionsOf } from '../store.ts';
import { storeAdvances } from '../writes/change-store.ts';
import { limitHistories } from '../writes/history-limit.ts';
import { decide } from '../writes/save-rules.ts';
import type { SaveVersion } from './version-store.ts';

export interface Restoration {
  save: SaveKey;
  /** The version to restore. */
  version: number;
  /** Null below the storage limit. At the limit the version may only replace one of at least its size; otherwise this is thrown. */
  limit_reached: ApiError | null;
  /** The most bytes of the player's versions before the last ten of each slot. */
  history_bytes: number;
}

/**
 * Makes a new version with the data of a kept one, whatever the game saves meanwhile.
 * @throws ApiError 404 when the player does not exist or the version is not kept.
 */
export function restoreVersion(
  database: Database,
  actor: Actor,
  restoration: Restoration,
): Promise<SaveVersion> {
  const { save, version } = restoration;
  const { game_id, environment, slot } = save;
  const restoreOnce = async (tx: Queryable) => {
    await requirePlayer(tx, save);
    let restored: SaveVersion | null = null;
    while (restored === null) restored = await tryRestore(tx, restoration);
    // An erasure deletes a player's data first and locks the player last: so does this.
    await lockPlayer(tx, save);
    await insertAuditEntry(tx, actor, {
      game_id,
      action: 'restore_save_version',
      target: save.player_id,
      details: { environment, slot, from_version: version, version: restored.version },
    });
    return restored;
  };
  // An erasure that has deleted the save can be in a deadlock with a new one.
  return retryDeadlocks(() => database.transaction(restoreOnce));
}

/** @returns null when the game has saved meanwhile. */
async function tryRestore(
  tx: Queryable,
  { save, version, limit_reached, history_bytes }: Restoration,
): Promise<SaveVersion | null> {
  const [kept] = await listVersionsOf(tx, [{ save, version }]);
  const [head] = await listHeads(tx, [save], true);
  // Revision 0: the save was erased between the two statements.
  if (!kept || head!.revision === 0) throw notFound('Save version not found');
  const { data } = kept;
  const size_bytes = Buffer.byteLength(data);
  const decided = decide(head!, [
    { kind: 'put', save, data, size_bytes, expected_version: null, limit_reached },
  ]);
  const decision = decided.decisions[0]!;
  if (decision.kind === 'refused') throw decision.error;
  const [stored] = await storeAdvances(tx, [{ save, ...decided }]);
  if (!stored) return null;
  // The player is being erased: the data must not come back.
  if (stored.is_inserted) throw notFound('Player not found');
  if (stored.has_grown) await limitHistories(tx, [save], history_bytes);
  const { changed_at: updated_at } = stored;
  return { version: decided.next.version, size_bytes, updated_at, is_current: true };
}
