import type { SaveKey } from '../save-key.ts';

/** Consecutive puts of one save. */
export interface SavePuts {
  save: SaveKey;
  /** The version that the first put expects. The other puts expect no certain version. */
  expected_version: number | null;
  data: readonly string[];
}
