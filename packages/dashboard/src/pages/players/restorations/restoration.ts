import type { Answer } from '../../../api/operations.ts';
import { countOf } from '../../../ui/format.ts';
import { formatMinute } from '../../../ui/time/format-time.ts';
import { describeCondition } from './save-conditions.ts';

export const LIST = 'GET /v1/games/{game_id}/save-restorations';
export const READ = 'GET /v1/games/{game_id}/save-restorations/{restoration_id}';

export type Restoration = Answer<typeof LIST>['restorations'][number];
export type ShownRestoration = Answer<typeof READ>;

/** The page of the list, relative to the pages of the game. */
export const LIST_PATH = 'save-restorations';

export const STATES: Record<Restoration['state'], { color: string; word: string }> = {
  counting: { color: 'ochre', word: 'Counting' },
  ready: { color: 'gray', word: 'Ready' },
  running: { color: 'ochre', word: 'Restoring' },
  paused: { color: 'clay', word: 'Paused' },
  done: { color: 'moss', word: 'Restored' },
  undoing: { color: 'ochre', word: 'Undoing' },
  undone: { color: 'gray', word: 'Undone' },
};

export const isActive = ({ state }: Restoration): boolean =>
  state === 'counting' || state === 'running' || state === 'undoing';

/** The interval at which a restoration is read again while servers work on it. */
export const EVERY_MS = 1_000;

/** Describes the versions that a restoration calls bad. */
export function describeQuestion({ question }: Restoration, zone: string): string {
  const { saved_from, saved_until, app_versions, segment, slot, data } = question;
  const by = app_versions.length === 0 ? '' : ` by ${app_versions.join(', ')}`;
  const time = `from ${formatMinute(saved_from, zone)} to ${formatMinute(saved_until, zone)}`;
  const where = [
    ...(slot === null ? [] : [`in the slot “${slot}”`]),
    ...(segment === null ? [] : [`of the segment “${segment}”`]),
  ];
  const what = data.length === 0 ? '' : `, where ${data.map(describeCondition).join(' and ')}`;
  return `${[`Saved${by}`, time, ...where].join(' ')}${what}`;
}

/** Describes what was done so far; empty before the start. */
export function describeOutcome(restoration: Restoration): string {
  const { restored_count, skipped_count, undone_count, kept_count, started_at, undo_begun_at } =
    restoration;
  if (started_at === null) return '';
  const words = [`${countOf(restored_count, 'save')} restored`];
  if (skipped_count > 0) words.push(`${countOf(skipped_count, 'save')} left alone`);
  if (undo_begun_at !== null) words.push(`${countOf(undone_count, 'save')} taken back`);
  if (kept_count > 0) words.push(`${countOf(kept_count, 'save')} kept, because players played on`);
  return `${words.join(', ')}.`;
}
