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
 * @param limit_reached Thrown where the version is larger than the last one; else it takes its place.
 * @throws ApiError 404 when the player does not exist or the version is not kept.
 */
export function restoreVersion(
  database: Database,
  player: PlayerKey,
  version: number,
  actor: Actor,
  limit_reached: ApiError | null,
): Promise<SaveVersion> {
  // An erasure may wait for a save that came after it had taken the others.
  return retryDeadlocks(() =>
    database.transaction((tx) => restoreOnce(tx, player, version, actor, limit_reached)),
  );
}

async function restoreOnce(
  tx: Queryable,
  player: PlayerKey,
  version: number,
  actor: Actor,
  limit_reached: ApiError | null,
): Promise<SaveVersion> {
  await requirePlayer(tx, player);
  let restored: SaveVersion | null = null;
  while (restored === null) {
    const [kept] = await listVersionsOf(tx, [{ player, version }]);
    if (!kept) throw notFound('Save version not found');
    const { data } = kept;
    const [head] = await listHeads(tx, [player], true);
    // Erased since then.
    if (head!.revision === 0) throw notFound('Save version not found');
    const size_bytes = Buffer.byteLength(data);
    const put = { kind: 'put', player, data, size_bytes, expected_version: null } as const;
    const decided = decide(head!, [{ ...put, limit_reached }]);
    const decision = decided.decisions[0]!;
    if (decision.kind === 'refused') throw decision.error;
    const { next } = decided;
    const [stored] = await storeAdvances(tx, [{ player, ...decided }]);
    if (!stored) continue;
    // Met the erasure: what it took must not come back.
    if (stored.is_inserted) throw notFound('Player not found');
    restored = {
      version: next.version,
      size_bytes,
      updated_at: stored.changed_at,
      is_current: true,
    };
  }
  // Last, as an erasure takes a player's data first: in another order they would wait for each other.
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
}
