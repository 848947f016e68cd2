import type { LeaderboardEntry } from '@overworld/sdk';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

export type BoardView = 'daily' | 'all-time';

/** The first entries of a board, and the player's own entry with its neighbours. */
export interface BoardPage {
  entries: LeaderboardEntry[];
  around: LeaderboardEntry[];
  total_entries: number;
}

const VIEWS: { view: BoardView; name: string }[] = [
  { view: 'daily', name: 'Tonight' },
  { view: 'all-time', name: 'All time' },
];

export function showBoardsScreen(
  sheet: HTMLElement,
  view: BoardView,
  page: BoardPage | 'loading' | 'offline',
  player_id: string,
  nightWaits: boolean,
  { select, back }: { select: (view: BoardView) => void; back: () => void },
): void {
  const tabs = VIEWS.map(({ view: other, name }) => {
    const tab = button(name, () => select(other), other === view ? 'tab is-chosen' : 'tab');
    tab.setAttribute('aria-pressed', String(other === view));
    return tab;
  });
  openSheet(
    sheet,
    'boards',
    { title: 'Boards', onBack: back },
    element('nav', { className: 'choices' }, ...tabs),
    renderBoard(page, player_id),
    nightWaits
      ? element('p', { className: 'small' }, 'Your last score waits here, and is sent later.')
      : null,
  );
}

export function renderBoard(page: BoardPage | 'loading' | 'offline', player_id: string): Node {
  if (page === 'loading') return element('p', {}, 'Looking …');
  if (page === 'offline') return element('p', {}, 'The boards cannot be reached now.');
  if (page.entries.length === 0) return element('p', {}, 'Nobody yet. Be the first!');
  const shown = new Set(page.entries.map((entry) => entry.player_id));
  const isFar = page.around.length > 0 && !shown.has(player_id);
  return element(
    'div',
    { className: 'board' },
    renderEntries(page.entries, player_id),
    isFar ? element('h2', {}, 'Around you') : null,
    isFar ? renderEntries(page.around, player_id) : null,
    element(
      'p',
      { className: 'small' },
      `${page.total_entries.toLocaleString('en')} on this board`,
    ),
  );
}

function renderEntries(entries: LeaderboardEntry[], player_id: string): HTMLElement {
  return element(
    'ol',
    { className: 'entries' },
    ...entries.map((entry) =>
      element(
        'li',
        { className: entry.player_id === player_id ? 'is-you' : '' },
        element('span', { className: 'rank' }, `${entry.rank}`),
        element('span', { className: 'name' }, entry.player_name || 'A moth'),
        element('span', { className: 'score' }, entry.score.toLocaleString('en')),
      ),
    ),
  );
}
