import type { SliceKind, SliceRows } from '../../../platform/reports/player-slices.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { GroupLabel } from '../scan/choose-groups.ts';
import type { PlayerChoice } from './player-choice.ts';

/** The days and the players of a slice, which is a report's rows for some players. */
export interface SliceInput extends EventSelection {
  /** First and last day, in the time zone of the game. */
  from: string;
  to: string;
  time_zone: string;
  choice: PlayerChoice;
}

/** The rows of a slice: the rows of all its players, and the rows of each group of players. */
export interface SliceResult<K extends SliceKind> {
  total: SliceRows[K];
  groups: (GroupLabel & { rows: SliceRows[K] })[];
  name_count: number;
}

const DAY_MS = 86_400_000;

/** Returns the number of days from 1970-01-01 to a day. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

export const dayText = (number: number): string =>
  new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Converts a time to microseconds since 2000-01-01, which is PostgreSQL's internal form of a time. */
export const packedTime = (time: string): number =>
  (Date.parse(time) - Date.UTC(2000, 0, 1)) * 1_000;

/** Returns the index of the last start at or before a time, or -1 if the time is before all starts. */
export function findPeriod(starts: Float64Array, time: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
