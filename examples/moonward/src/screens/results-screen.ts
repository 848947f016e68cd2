import { heightOf, scoreOf } from '../world/run.ts';
import type { Run } from '../world/run.ts';
import type { Ranks } from '../online/scores.ts';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

interface ResultActions {
  again: () => void;
  openBoards: () => void;
  openUpgrades: () => void;
  showTitle: () => void;
}

/** @param ranks The first text about the player's ranks. `showRanks` replaces it when the ranks are known. */
export function showResultsScreen(
  sheet: HTMLElement,
  run: Run,
  is_best: boolean,
  ranks: string,
  actions: ResultActions,
): void {
  const { lamps, best_chain, pollen } = run.tallies;
  const ranks_line = element('p', { className: 'ranks' }, ranks);
  ranks_line.setAttribute('role', 'status');
  openSheet(
    sheet,
    'results',
    { title: is_best ? 'Your best night' : 'The dawn has come' },
    element('output', { className: 'big-score' }, scoreOf(run).toLocaleString('en')),
    element(
      'dl',
      { className: 'tallies' },
      ...tally('Height', `${heightOf(run)} m`),
      ...tally('Lamps', `${lamps}`),
      ...tally('Best chain', `${best_chain}`),
      ...tally('Pollen', `+${pollen}`),
    ),
    ranks_line,
    button('Again', actions.again, 'primary'),
    element(
      'nav',
      { className: 'choices' },
      button('Boards', actions.openBoards),
      button('Wings', actions.openUpgrades),
      button('Title', actions.showTitle),
    ),
  );
}

export function describeRanks({ daily, all_time }: Ranks): string {
  const place = ({ rank, total_entries }: { rank: number; total_entries: number }) =>
    `${rank} of ${total_entries}`;
  return `Tonight ${place(daily)} · All time ${place(all_time)}`;
}

export function showRanks(sheet: HTMLElement, ranks: string): void {
  const line = sheet.querySelector('.panel-results .ranks');
  if (line) line.textContent = ranks;
}

const tally = (name: string, value: string) => [element('dt', {}, name), element('dd', {}, value)];
