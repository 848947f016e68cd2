import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { sql } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { requirePlayer } from '../../../platform/players/player-lock.ts';
import { isOfSave } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import { listHeads, listVersionsOf } from '../store.ts';
import type { Save } from '../store.ts';
import { noteVersion, storeVersion } from './new-version.ts';
import type { VersionLimits } from './new-version.ts';
import type { SaveVersion } from './version-store.ts';

interface SaveEdit extends VersionLimits {
  save: SaveKey;
  /** The version that was edited. */
  version: number;
  /** JSON text, stored as it is. */
  data: string;
}

type EditOutcome =
  | { kind: 'stored'; stored: SaveVersion }
  /**
   * The edited version is no longer the current one, because the game has stored or deleted a save. `save` is
   * the last save on the server, and `deleted_at` is null unless that save is deleted.
   */
  | { kind: 'conflict'; save: Save; deleted_at: string | null };

/**
 * Stores edited data as a new version, if the edited version is still the one that the game loads.
 * @throws ApiError 404 when the player does not exist or the slot never had a save.
 */
export function editSave(database: Database, actor: Actor, edit: SaveEdit): Promise<EditOutcome> {
  const { save, version } = edit;
  const editOnce = async (tx: Queryable) => {
    await requirePlayer(tx, save);
    let outcome: EditOutcome | null = null;
    while (outcome === null) outcome = await tryEdit(tx, edit);
    if (outcome.kind === 'stored') {
      const versions = { from_version: version, version: outcome.stored.version };
      await noteVersion(tx, actor, 'edit_save', save, versions);
    }
    return outcome;
  };
  // The edit can be in a deadlock with an erasure that has deleted the save.
  return retryDeadlocks(() => database.transaction(editOnce));
}

/** @returns null when the game has saved meanwhile. */
async function tryEdit(
  tx: Queryable,
  { save, version, data, ...limits }: SaveEdit,
): Promise<EditOutcome | null> {
  const [head] = await listHeads(tx, [save], true);
  if (head!.revision === 0) throw notFound('No save found');
  if (head!.is_present && head!.version === version) {
    const stored = await storeVersion(tx, save, head!, { data, app_version: null }, limits);
    return stored && { kind: 'stored', stored };
  }
  const [current] = await listVersionsOf(tx, [{ save, version: head!.version }]);
  const state = await tx.queryOne<{ deleted_at: string | null }>(
    sql`SELECT deleted_at FROM saves WHERE ${isOfSave(save)}`,
  );
  if (current && state) return { kind: 'conflict', save: current, deleted_at: state.deleted_at };
  const [now] = await listHeads(tx, [save], false);
  // The last version is gone, and no writer has brought another one, so a further try would find the same.
  // Earlier releases left such a save when it was deleted while its player was erased.
  if (now!.revision === head!.revision) throw notFound('No save found');
  return null;
}
