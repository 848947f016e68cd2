/** Entries of a list are counted up to this number, so that a count stays cheap. */
export const MAX_COUNTED = 10_000;

/** Number of entries of a list; if it is not exact, the list has at least as many. */
export interface ListTotal {
  count: number;
  is_exact: boolean;
}
