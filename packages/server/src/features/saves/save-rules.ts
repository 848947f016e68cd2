import type { PlayerKey } from '../../platform/player-presence.ts';

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
  | { kind: 'conflict'; with_version: NewVersion | null };

export const NO_SAVE: SaveHead = { revision: 0, version: 0, is_present: false };

/**
 * Decides requests on one player's save, as if each came after the one before was answered.
 * @returns what becomes of each, the state after them, and the versions to be stored in order.
 */
export function decide(
  head: SaveHead,
  requests: readonly SaveRequest[],
): { decisions: Decision[]; next: SaveHead; versions: NewVersion[] } {
  let { version, is_present } = head;
  const versions: NewVersion[] = [];
  const decisions = requests.map((request): Decision => {
    if (request.kind === 'delete') {
      if (!is_present) return { kind: 'absent' };
      is_present = false;
      return { kind: 'deleted' };
    }
    const { data, expected_version } = request;
    if (is_present && expected_version !== null && expected_version !== version) {
      return { kind: 'conflict', with_version: versions.at(-1) ?? null };
    }
    version += 1;
    is_present = true;
    versions.push({ version, data });
    return { kind: 'stored', version };
  });
  const isChanged = version !== head.version || is_present !== head.is_present;
  const revision = isChanged ? head.revision + 1 : head.revision;
  return { decisions, next: { revision, version, is_present }, versions };
}
