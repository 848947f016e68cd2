import type { AchievementList } from '@overworld/sdk';
import { element } from './element.ts';
import { openSheet } from './sheet.ts';

/** The list as the server tells it, which masks what is hidden; null while offline. */
export function showAchievementsScreen(
  sheet: HTMLElement,
  list: AchievementList | null,
  earned: readonly string[],
  back: () => void,
): void {
  openSheet(
    sheet,
    'achievements',
    { title: 'Achievements', onBack: back },
    list === null
      ? element('p', {}, 'The list is on the server, which cannot be reached now.')
      : element('p', {}, `${list.unlocked_points} of ${list.total_points} points`),
    list &&
      element('ul', { className: 'rows' }, ...list.achievements.map((one) => row(one, earned))),
  );
}

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
