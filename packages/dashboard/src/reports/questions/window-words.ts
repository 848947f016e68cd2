import { countOf } from '../../ui/format.ts';

/** Describes a number of minutes in words, such as 10080 as `7 days`. */
export function windowWords(minutes: number): string {
  if (minutes % 1_440 === 0) return countOf(minutes / 1_440, 'day');
  if (minutes % 60 === 0) return countOf(minutes / 60, 'hour');
  return countOf(minutes, 'minute');
}
