import { useSearchState } from '../../ui/search-state.ts';
import { readSelection, writeSelection } from './player-selection.ts';
import type { PlayerSelection } from './player-selection.ts';

/** Reads from the URL to which players the reports are limited, and how these players are split. */
export function usePlayerChoice() {
  const { search, set } = useSearchState();
  const selection = readSelection(search.get('players'));
  const players = writeSelection(selection);
  const split_by = search.get('split_by') ?? '';
  return {
    selection,
    split_by,
    /** True if reports are limited to some players or split. The server then counts anew, which is slower. */
    isChosen: players !== '' || split_by !== '',
    query: { players: players || undefined, split_by: split_by || undefined },
    select: (next: PlayerSelection) => set({ players: writeSelection(next) }),
    split: (next: string) => set({ split_by: next }),
  };
}
