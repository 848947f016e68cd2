import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../../platform/errors.ts';
import { requirePlayer } from '../../../platform/players/player-lock.ts';
import type { SaveKey } from '../save-key.ts';
import { listHeads, listVersionsOf } from '../store.ts';
import { noteVersion, storeVersion } from './new-version.ts';
import type { VersionLimits } from './new-version.ts';
import type { SaveVersion } from './version-store.ts';

interface Restoration extends VersionLimits {
  save: SaveKey;
  /** The version to restore. */
  version: number;
}

/**
 * Makes a new version with the data of a kept version, even if the game saves meanwhile.
 * @throws ApiError 404 when the player does not exist or the version is not kept.
 */
export function restoreVersion(
  database: Database,
  actor: Actor,
  restoration: Restoration,
): Promise<SaveVersion> {
  const { save, version } = restoration;
  const restoreOnce = async (tx: Queryable) => {
    await requirePlayer(tx, save);
    let restored: SaveVersion | null = null;
    while (restored === null) restored = await tryRestore(tx, restoration);
    const versions = { from_version: version, version: restored.version };
    await noteVersion(tx, actor, 'restore_save_version', save, versions);
    return restored;
  };
  // The new version can be in a deadlock with an erasure that has deleted the save.
  return retryDeadlocks(() => database.transaction(restoreOnce));
}

/** @returns null when the game has saved meanwhile. */
async function tryRestore(
  tx: Queryable,
  { save, version, ...limits }: Restoration,
): Promise<SaveVersion | null> {
  const [kept] = await listVersionsOf(tx, [{ save, version }]);
  const [head] = await listHeads(tx, [save], true);
  // Revision 0: the save was erased between the two statements.
  if (!kept || head!.revision === 0) throw notFound('Save version not found');
  return storeVersion(tx, save, head!, kept, limits);
}
