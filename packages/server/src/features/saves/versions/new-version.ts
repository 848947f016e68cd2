import type { AuditAction } from '@overworld/contract/games/audit-actions';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { ApiError } from '../../../platform/errors.ts';
import { lockPlayer } from '../../../platform/players/player-lock.ts';
import type { SaveKey } from '../save-key.ts';
import { storeAdvances } from '../writes/change-store.ts';
import { limitHistories } from '../writes/history-limit.ts';
import type { PutVersion } from '../writes/save-puts.ts';
import { decide } from '../writes/save-rules.ts';
import type { KnownHead } from '../writes/save-rules.ts';
import type { SaveVersion } from './version-store.ts';

/** The storage limits for versions that staff store. */
export interface VersionLimits {
  /**
   * The error to throw if the new version is larger than the version it replaces. Null while the game is
   * below its storage limit.
   */
  limit_reached: ApiError | null;
  /**
   * The maximum total size of the player's older versions. The last ten versions of each slot do not
   * count.
   */
  history_bytes: number;
}

/**
 * Stores a version that staff have made, if the save is still in the state `head`.
 * @returns null when the game has changed the save meanwhile.
 * @throws ApiError 404 when the player is being erased.
 */
export async function storeVersion(
  tx: Queryable,
  save: SaveKey,
  head: KnownHead,
  { data, app_version }: PutVersion,
  { limit_reached, history_bytes }: VersionLimits,
): Promise<SaveVersion | null> {
  const size_bytes = Buffer.byteLength(data);
  const decided = decide(head, [
    { kind: 'put', save, data, app_version, size_bytes, expected_version: null, limit_reached },
  ]);
  const decision = decided.decisions[0]!;
  if (decision.kind === 'refused') throw decision.error;
  const [stored] = await storeAdvances(tx, [{ save, ...decided }]);
  if (!stored) return null;
  // If the save had to be inserted, the player is being erased, and the data must not come back.
  if (stored.is_inserted) throw notFound('Player not found');
  if (stored.has_grown) await limitHistories(tx, [save], history_bytes);
  const { changed_at: updated_at } = stored;
  return { version: decided.next.version, size_bytes, app_version, updated_at, is_current: true };
}

/** Records that staff stored a version. @throws ApiError 404 when the player is being erased. */
export async function noteVersion(
  tx: Queryable,
  actor: Actor,
  action: AuditAction,
  { game_id, environment, player_id, slot }: SaveKey,
  versions: { from_version: number; version: number },
): Promise<void> {
  // Locks the player only after the player's data. An erasure locks in the same order.
  await lockPlayer(tx, { game_id, environment, player_id });
  await insertAuditEntry(tx, { actor, game_id }, action, player_id, {
    environment,
    slot,
    ...versions,
  });
}
