import type { Answer } from '../../../api/operations.ts';
import type { RestorationWords } from '../../../restorations/restoration.ts';
import { formatMinute } from '../../../ui/time/format-time.ts';

export const LIST = 'GET /v1/games/{game_id}/stat-restorations';
export const READ = 'GET /v1/games/{game_id}/stat-restorations/{restoration_id}';

export type StatRestoration = Answer<typeof LIST>['restorations'][number];
export type ShownStatRestoration = Answer<typeof READ>;

export const WORDS: RestorationWords = {
  thing: 'value',
  kept: 'because they would leave their bounds',
  list_path: 'stat-restorations',
};

/** Describes the changes that a restoration takes back. */
export function describeQuestion({ question }: StatRestoration, zone: string): string {
  const { stats, changed_from, changed_until, segment } = question;
  const time = `from ${formatMinute(changed_from, zone)} to ${formatMinute(changed_until, zone)}`;
  const of = segment === null ? '' : ` of the segment “${segment}”`;
  return `Changes of ${stats.join(', ')} ${time}${of}`;
}
