/** Entries of a list are counted up to this number, so that a count stays cheap. */
export const MAX_COUNTED = 10_000;

/** The number of entries of a list. If the number is not exact, the list has at least this many entries. */
export interface ListTotal {
  count: number;
  is_exact: boolean;
}
