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
  /** Number of changes so far; 0 when there never was a save. */
  revision: number;
  /** Version of the last save, also after it was deleted. */
  version: number;
  is_present: boolean;
}

/** A change to be made: a new version, or with null the deletion. */
export interface SaveChange {
  version: number;
  data: string | null;
}

/** What becomes of a request. */
export type Decision =
  | { kind: 'stored'; version: number }
  | { kind: 'deleted' }
  /** There is nothing to delete. */
  | { kind: 'absent' }
  /** With an earlier change of the same batch, or with what the server has (null). */
  | { kind: 'conflict'; with_change: SaveChange | null };

export const NO_SAVE: SaveHead = { revision: 0, version: 0, is_present: false };

/** Decides requests on one player's save, as if each came after the one before was answered. */
export function decide(
  head: SaveHead,
  requests: readonly SaveRequest[],
): { decisions: Decision[]; changes: SaveChange[] } {
  let { version, is_present } = head;
  const changes: SaveChange[] = [];
  const decisions = requests.map((request): Decision => {
    if (request.kind === 'delete') {
      if (!is_present) return { kind: 'absent' };
      is_present = false;
      changes.push({ version, data: null });
      return { kind: 'deleted' };
    }
    const { data, expected_version } = request;
    if (is_present && expected_version !== null && expected_version !== version) {
      return { kind: 'conflict', with_change: changes.at(-1) ?? null };
    }
    version += 1;
    is_present = true;
    changes.push({ version, data });
    return { kind: 'stored', version };
  });
  return { decisions, changes };
}
