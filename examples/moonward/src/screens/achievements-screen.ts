import type { AchievementList } from '@overworld/sdk';
import { element } from './element.ts';
import { openSheet } from './sheet.ts';

/** Shows the list that the server has sent, in which hidden achievements are masked. */
export function showAchievementsScreen(
  sheet: HTMLElement,
  list: AchievementList | 'loading' | 'offline',
  earned: readonly string[],
  back: () => void,
): void {
  openSheet(
    sheet,
    'achievements',
    { title: 'Achievements', onBack: back },
    ...(typeof list === 'string'
      ? [element('p', {}, WORDS[list])]
      : [
          element('p', {}, `${list.unlocked_points} of ${list.total_points} points`),
          element('ul', { className: 'rows' }, ...list.achievements.map((one) => row(one, earned))),
        ]),
  );
}

const WORDS = {
  loading: 'Looking …',
  offline: 'The list is on the server, which cannot be reached now.',
};

function row(one: AchievementList['achievements'][number], earned: readonly string[]): HTMLElement {
  const { key, name, description, points, hidden } = one;
  const has = one.unlocked === true || earned.includes(key);
  const masked = hidden && !one.unlocked;
  return element(
    'li',
    { className: has ? 'is-earned' : '' },
    element(
      'div',
      {},
      element('strong', {}, masked ? 'Hidden' : name),
      element('p', {}, masked ? 'You will know it when it happens.' : description),
    ),
    element('span', { className: 'points' }, has ? `✓ ${points}` : `${points}`),
  );
}
