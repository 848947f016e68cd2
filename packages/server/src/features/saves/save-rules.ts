import type { ApiError } from '../../platform/errors.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** A save to be stored. */
export interface PutRequest {
  kind: 'put';
  player: PlayerKey;
  /** JSON text, stored as it is. */
  data: string;
  /** Bytes of `data` in UTF-8. */
  size_bytes: number;
  /** Null: store in any case. */
  expected_version: number | null;
  /** The game's saves have reached their limit: this one only replaces one that is no smaller. */
  limit_reached: ApiError | null;
}

/** What a caller asks of the save of a player. */
export type SaveRequest = PutRequest | { kind: 'delete'; player: PlayerKey };

/** The state of a save. */
export interface SaveHead {
  /** One more with each write; 0 when there never was a save. */
  revision: number;
  /** Version of the last save, also after it was deleted. */
  version: number;
  is_present: boolean;
}

/** A version to be stored. */
export interface NewVersion {
  version: number;
  data: string;
}

/** What becomes of a request. */
export type Decision =
  | { kind: 'stored'; version: number }
  | { kind: 'deleted' }
  /** There is nothing to delete. */
  | { kind: 'absent' }
  /** With a version of the same batch, or with what the server has (null). */
  | { kind: 'conflict'; with_version: NewVersion | null }
  | { kind: 'refused'; error: ApiError };

/** What follows from the requests on one player's save. */
export interface Decided {
  /** What becomes of each request. */
  decisions: Decision[];
  /** The state after them. */
  next: SaveHead;
  /** To be stored, in order. */
  versions: NewVersion[];
  /** Version that is not kept any more, as another has taken its place. */
  replaced_version: number | null;
}

export const NO_SAVE: SaveHead = { revision: 0, version: 0, is_present: false };

/**
 * Decides requests on one player's save, as if each came after the one before was answered. At the
 * limit a save takes the place of the one before, so that what is kept does not grow.
 * @param kept_bytes Size of the last version, which is kept also when the save is deleted.
 */
export function decide(
  head: SaveHead,
  requests: readonly SaveRequest[],
  kept_bytes: number,
): Decided {
  let { version, is_present } = head;
  let last_bytes = kept_bytes;
  let replaced_version: number | null = null;
  const versions: NewVersion[] = [];
  const decisions = requests.map((request): Decision => {
    if (request.kind === 'delete') {
      if (!is_present) return { kind: 'absent' };
      is_present = false;
      return { kind: 'deleted' };
    }
    const { data, size_bytes, expected_version, limit_reached } = request;
    if (is_present && expected_version !== null && expected_version !== version) {
      return { kind: 'conflict', with_version: versions.at(-1) ?? null };
    }
    if (limit_reached !== null) {
      if (size_bytes > last_bytes) return { kind: 'refused', error: limit_reached };
      if (versions.pop() === undefined) replaced_version = version;
    }
    version += 1;
    is_present = true;
    last_bytes = size_bytes;
    versions.push({ version, data });
    return { kind: 'stored', version };
  });
  const isChanged = version !== head.version || is_present !== head.is_present;
  const revision = isChanged ? head.revision + 1 : head.revision;
  return { decisions, next: { revision, version, is_present }, versions, replaced_version };
}
