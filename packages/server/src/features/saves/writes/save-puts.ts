import type { SaveKey } from '../save-key.ts';

/** The things that a put stores. */
export interface PutVersion {
  /** JSON text, stored as it is. */
  data: string;
  /** The version of the game that saved; null if it did not say. */
  app_version: string | null;
}

/** Consecutive puts of one save. */
export interface SavePuts {
  save: SaveKey;
  /** The version that the first put expects. The other puts expect no certain version. */
  expected_version: number | null;
  versions: readonly PutVersion[];
}
