import { MAX_COUNTED } from '@overworld/contract/list-total';
import type { ListTotal } from '@overworld/contract/list-total';
import { formatCount } from '../format.ts';

/** Describes the total: `50 of 137`, or `137 in all` when all rows are shown. */
export function totalWords(shown: number, { count, is_exact }: ListTotal): string {
  if (is_exact && count <= shown) return `${formatCount(shown)} in all`;
  // The total may be older than the rows, and so less than their number.
  const known = formatCount(Math.max(count, shown));
  if (is_exact) return `${formatCount(shown)} of ${known}`;
  return `${formatCount(shown)} of ${count < MAX_COUNTED ? 'at least' : 'over'} ${known}`;
}
