import type { Entry } from '../store.ts';

/** The stored entry after a submit. */
export interface Submitted {
  entry: Omit<Entry, 'seq'>;
  rank: number;
  total_entries: number;
  is_new: boolean;
  /** True if the submit changed the entry. */
  updated: boolean;
}
