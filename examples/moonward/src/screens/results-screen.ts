import { heightOf, scoreOf } from '../world/run.ts';
import type { Run } from '../world/run.ts';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

export interface ResultActions {
  again: () => void;
  openBoards: () => void;
  openUpgrades: () => void;
  showTitle: () => void;
}

/** Shows the night's results. Returns where the ranks go once the server has said them. */
export function showResultsScreen(
  sheet: HTMLElement,
  run: Run,
  is_best: boolean,
  actions: ResultActions,
): HTMLElement {
  const { lamps, best_chain, pollen } = run.tallies;
  const ranks = element('p', { className: 'ranks' }, 'Asking for your rank …');
  ranks.setAttribute('role', 'status');
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
    ranks,
    button('Again', actions.again, 'primary'),
    element(
      'nav',
      { className: 'choices' },
      button('Boards', actions.openBoards),
      button('Wings', actions.openUpgrades),
      button('Title', actions.showTitle),
    ),
  );
  return ranks;
}

const tally = (name: string, value: string) => [element('dt', {}, name), element('dd', {}, value)];
