import { countOf } from '../ui/format.ts';
import type { RestorationState } from '@overworld/contract/restorations/restoration-limits';
import { momentOf } from '../ui/time/zoned-time.ts';

/** The members that restorations of saves and of statistics share. */
export interface Restoration {
  restoration_id: string;
  state: RestorationState;
  problem: string | null;
  words: string;
  progress: { done: number; of: number };
  restored_count: number;
  skipped_count: number;
  undone_count: number;
  kept_count: number;
  created_at: string;
  created_by: string | null;
  started_at: string | null;
  undo_begun_at: string | null;
}

/** The words for what is restored. */
export interface RestorationWords {
  /** One of them, such as `save`. */
  thing: string;
  /** Why an undo leaves some alone, such as `because players played on`. */
  kept: string;
  /** The page of the list, relative to the pages of the game. */
  list_path: string;
}

export const STATES: Record<RestorationState, { color: string; word: string }> = {
  counting: { color: 'ochre', word: 'Counting' },
  ready: { color: 'gray', word: 'Ready' },
  running: { color: 'ochre', word: 'Restoring' },
  paused: { color: 'clay', word: 'Paused' },
  done: { color: 'moss', word: 'Restored' },
  undoing: { color: 'ochre', word: 'Undoing' },
  undone: { color: 'gray', word: 'Undone' },
};

export const isActive = ({ state }: Pick<Restoration, 'state'>): boolean =>
  state === 'counting' || state === 'running' || state === 'undoing';

/** The interval at which a restoration is read again while servers work on it. */
export const EVERY_MS = 1_000;

/** Describes what was done so far; empty before the start. */
export function describeOutcome(
  restoration: Restoration,
  { thing, kept }: RestorationWords,
): string {
  const { restored_count, skipped_count, undone_count, kept_count, started_at, undo_begun_at } =
    restoration;
  if (started_at === null) return '';
  const words = [`${countOf(restored_count, thing)} restored`];
  if (skipped_count > 0) words.push(`${countOf(skipped_count, thing)} left alone`);
  if (undo_begun_at !== null) words.push(`${countOf(undone_count, thing)} taken back`);
  if (kept_count > 0) words.push(`${countOf(kept_count, thing)} kept, ${kept}`);
  return `${words.join(', ')}.`;
}

/** The state of one item after a start, in a word; absent before. */
export const OUTCOMES: Readonly<Record<string, string | undefined>> = {
  restored: 'restored',
  skipped: 'left alone',
  undone: 'taken back',
  kept: 'kept',
};

/**
 * Reads the field of a time.
 * @returns undefined if it is empty.
 */
export function readMoment(name: string, clock: string, zone: string): string | undefined {
  if (clock === '') return undefined;
  const moment = momentOf(clock, zone);
  if (moment === null) throw new Error(`${name} must be a time`);
  return moment;
}
