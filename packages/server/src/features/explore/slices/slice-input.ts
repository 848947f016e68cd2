import type { SliceKind, SliceRows } from '../../../platform/reports/player-slices.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { GroupLabel } from '../scan/groups.ts';
import type { PlayerChoice } from '../scan/player-choice.ts';

/** The days and the players of a slice. */
export interface SliceInput extends EventSelection {
  /** First and last day, in the time zone of the game. */
  from: string;
  to: string;
  time_zone: string;
  choice: PlayerChoice;
}

/** The rows of a slice: of all its players, and of each group. */
export interface SliceResult<K extends SliceKind> {
  total: SliceRows[K];
  groups: (GroupLabel & { rows: SliceRows[K] })[];
  name_count: number;
}

const DAY_MS = 86_400_000;

/** Days from 1970-01-01. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

export const dayText = (number: number): string =>
  new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Microseconds from 2000-01-01, as PostgreSQL packs times. */
export const packedTime = (time: string): number =>
  (Date.parse(time) - Date.UTC(2000, 0, 1)) * 1_000;

/** The index of the last start that is not after a time; -1 when the time is before all starts. */
export function findPeriod(starts: Float64Array, time: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
