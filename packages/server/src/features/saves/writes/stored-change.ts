/** A change that was stored. */
export interface StoredChange {
  version: number;
  changed_at: string;
  /** True if there was no save before: this is the first save, or the player was being erased. */
  is_inserted: boolean;
  /**
   * True if the player's history of older versions has grown: one of the last versions became an older one
   * and was kept.
   */
  has_grown: boolean;
}
