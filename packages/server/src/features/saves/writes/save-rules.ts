import type { ApiError } from '../../../platform/errors.ts';
import type { SaveKey } from '../save-key.ts';
import type { PutVersion } from './save-puts.ts';

/** A save to be stored. */
export interface PutRequest {
  kind: 'put';
  save: SaveKey;
  /** JSON text, stored as it is. */
  data: string;
  /** The version of the game that saves; null if it does not say. */
  app_version: string | null;
  /** Bytes of `data` in UTF-8. */
  size_bytes: number;
  /** Null: the save is stored whatever the current version is. */
  expected_version: number | null;
  /** The error for a save that is larger than the version it replaces; null below the storage limit. */
  limit_reached: ApiError | null;
}

/** A caller's request to change a save. */
export type SaveRequest = PutRequest | { kind: 'delete'; save: SaveKey };

/** The state of a save. */
export interface SaveHead {
  /** Each write adds one; 0 when there never was a save. */
  revision: number;
  /** The version of the last save, even if that save is deleted. */
  version: number;
  is_present: boolean;
}

/** The state of a save before the requests that are to be decided. */
export interface KnownHead extends SaveHead {
  /** Bytes of the last version, which stays stored when the save is deleted. */
  kept_bytes: number;
}

/** A version to be stored. */
export interface NewVersion extends PutVersion {
  version: number;
}

/** The outcome of a request. It is final only when the changes are stored. */
export type Decision =
  | { kind: 'stored'; version: number }
  | { kind: 'deleted' }
  /** There is no save to delete. */
  | { kind: 'absent' }
  /** `with_version` is null if the conflict is not with a version of this batch, but with the stored save. */
  | { kind: 'conflict'; with_version: NewVersion | null }
  | { kind: 'refused'; error: ApiError };

/** The outcomes of the requests on one save, and the change that they make. */
export interface Decided {
  decisions: Decision[];
  /** The state after the requests. */
  next: SaveHead;
  /** Versions to be stored, in order. */
  versions: NewVersion[];
  /**
   * The number of versions that the requests make. It can exceed the length of `versions`,
   * because some versions are replaced before they are stored.
   */
  version_count: number;
  /** A version that is no longer kept, because another has taken its place. */
  replaced_version: number | null;
}

export const NO_SAVE: KnownHead = { revision: 0, version: 0, is_present: false, kept_bytes: 0 };

/**
 * Decides the requests to change one save, as if each came after the answer to the previous one.
 * At the storage limit, a save replaces the version before it, so the saves of the game do not grow.
 */
export function decide(head: KnownHead, requests: readonly SaveRequest[]): Decided {
  let { version, is_present, kept_bytes: last_bytes } = head;
  let replaced_version: number | null = null;
  const versions: NewVersion[] = [];
  const decisions = requests.map((request): Decision => {
    if (request.kind === 'delete') {
      if (!is_present) return { kind: 'absent' };
      is_present = false;
      return { kind: 'deleted' };
    }
    const { data, app_version, size_bytes, expected_version, limit_reached } = request;
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
    versions.push({ version, data, app_version });
    return { kind: 'stored', version };
  });
  const isChanged = version !== head.version || is_present !== head.is_present;
  const revision = isChanged ? head.revision + 1 : head.revision;
  const version_count = version - head.version;
  const next = { revision, version, is_present };
  return { decisions, next, versions, version_count, replaced_version };
}
