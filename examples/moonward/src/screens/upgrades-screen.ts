import { balanceOf } from '../world/progress.ts';
import type { Progress } from '../world/progress.ts';
import { nextCost, UPGRADES } from '../world/upgrades.ts';
import type { UpgradeKey } from '../world/upgrades.ts';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

export function showUpgradesScreen(
  sheet: HTMLElement,
  progress: Progress,
  { buy, back }: { buy: (key: UpgradeKey) => void; back: () => void },
): void {
  const balance = balanceOf(progress);
  const rows = UPGRADES.map((upgrade) => {
    const { key, name, description, costs } = upgrade;
    const level = progress.upgrades[key];
    const cost = nextCost(upgrade, progress.upgrades);
    const buying = button(cost === null ? 'Yours' : `${cost}`, () => buy(key), 'price');
    buying.disabled = cost === null || cost > balance;
    buying.setAttribute('aria-label', cost === null ? `${name}: yours` : `Buy ${name} for ${cost}`);
    return element(
      'li',
      {},
      element(
        'div',
        {},
        element('strong', {}, name),
        element(
          'span',
          { className: 'level' },
          '●'.repeat(level) + '○'.repeat(costs.length - level),
        ),
        element('p', {}, description),
      ),
      buying,
    );
  });
  openSheet(
    sheet,
    'upgrades',
    { title: 'Wings', onBack: back },
    element(
      'p',
      { className: 'figures' },
      'Your pollen',
      element('span', { className: 'pollen' }, `${balance}`),
    ),
    element('ul', { className: 'rows' }, ...rows),
  );
}
