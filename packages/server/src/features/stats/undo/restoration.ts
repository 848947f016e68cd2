import type { OutOfBoundsChoice } from '@overworld/contract/stats/restoration-limits';
import type {
  StatQuestion,
  StatRestorationAnswer,
  StatToRestore,
} from '@overworld/contract/stats/restorations';
import { many, progressOf, sharedAnswer } from '../../../platform/restorations/restoration.ts';
import type { RestorationRow } from '../../../platform/restorations/restoration.ts';

/** The row of a restoration of statistics. */
export interface StatRestoration extends RestorationRow {
  question: StatQuestion;
  out_of_bounds: OutOfBoundsChoice | null;
  values_to_count: number | null;
  counted_values: number;
  value_count: number;
  out_of_bounds_count: number;
}

/** The state of one value of a restoration. */
export type ItemState = StatToRestore['state'];

/** Writes a restoration as answers show it. */
export function toAnswer(row: StatRestoration): StatRestorationAnswer {
  const { question, out_of_bounds, value_count, out_of_bounds_count } = row;
  const counted = { done: row.counted_values, of: row.values_to_count ?? 0 };
  return {
    ...sharedAnswer(row),
    question,
    out_of_bounds,
    words: inWords(row),
    value_count,
    out_of_bounds_count,
    progress: progressOf(row, counted, value_count),
  };
}

function inWords(row: StatRestoration): string {
  const { player_count, counted_players, value_count, out_of_bounds_count } = row;
  const of = many(counted_players, 'player');
  if (value_count === 0) return `None of ${of} has changes in these hours.`;
  const have = player_count === 1 ? 'has' : 'have';
  const found = `${player_count.toLocaleString('en-US')} of ${of} ${have} changes in these hours, of ${many(value_count, 'value')}.`;
  if (out_of_bounds_count === 0) return found;
  const its = out_of_bounds_count === 1 ? 'its' : 'their';
  return `${found} ${many(out_of_bounds_count, 'value')} would leave ${its} bounds.`;
}
