import type { RestorationWords } from '../../../restorations/restoration.ts';
import type { Answer } from '../../../api/operations.ts';
import { formatMinute } from '../../../ui/time/format-time.ts';
import { describeCondition } from './save-conditions.ts';

export const LIST = 'GET /v1/games/{game_id}/save-restorations';
export const READ = 'GET /v1/games/{game_id}/save-restorations/{restoration_id}';

export type Restoration = Answer<typeof LIST>['restorations'][number];
export type ShownRestoration = Answer<typeof READ>;

export const WORDS: RestorationWords = {
  thing: 'save',
  kept: 'because players played on',
  list_path: 'save-restorations',
};

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
