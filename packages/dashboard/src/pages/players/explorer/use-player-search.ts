import type { PlayerSort } from '@overworld/contract/players/dashboard';
import { LACKED_BY_PLAYERS } from '@overworld/contract/players/lacked-by-players';
import type { LackedByPlayers } from '@overworld/contract/players/lacked-by-players';
import { useSearchState } from '../../../ui/search-state.ts';
import { readConditions, writeConditions } from '../../../ui/conditions/conditions.ts';
import type { PlayerCondition } from '../../../ui/conditions/conditions.ts';

const SORTS: readonly PlayerSort[] = ['last_seen_at', 'first_seen_at', 'player_id'];

/** The conditions on when and how the game first named players, and on what they lack. Null stands for none. */
export interface PlayerOrigin {
  first_seen_from: string | null;
  first_seen_before: string | null;
  without: readonly LackedByPlayers[];
  without_achievement: string | null;
}

/** Reads and sets the search for players, and the order and columns of its result, in the page's URL. */
export function usePlayerSearch() {
  const { search, set } = useSearchState();
  const text = search.get('search') ?? '';
  const tags = search.getAll('tag');
  const conditions = readConditions<PlayerCondition>(search.get('filter'));
  const origin: PlayerOrigin = {
    first_seen_from: search.get('first_seen_from'),
    first_seen_before: search.get('first_seen_before'),
    without: LACKED_BY_PLAYERS.filter((name) => search.getAll('without').includes(name)),
    without_achievement: search.get('without_achievement'),
  };
  const sort = SORTS.find((name) => name === search.get('sort')) ?? 'last_seen_at';

  return {
    text,
    tags,
    conditions,
    origin,
    sort,
    columns: search.has('columns') ? search.getAll('columns').filter((name) => name !== '-') : null,
    isFiltered:
      text !== '' ||
      tags.length > 0 ||
      conditions.length > 0 ||
      origin.first_seen_from !== null ||
      origin.first_seen_before !== null ||
      origin.without.length > 0 ||
      origin.without_achievement !== null,
    query: {
      search: text || undefined,
      tag: tags.length > 0 ? tags : undefined,
      filter: writeConditions(conditions) || undefined,
      first_seen_from: origin.first_seen_from ?? undefined,
      first_seen_before: origin.first_seen_before ?? undefined,
      without: origin.without.length > 0 ? [...origin.without] : undefined,
      without_achievement: origin.without_achievement ?? undefined,
      sort,
    },
    setText: (value: string) => set({ search: value }),
    setTags: (value: string[]) => set({ tag: value }),
    setConditions: (value: PlayerCondition[]) => set({ filter: writeConditions(value) }),
    setOrigin: (value: Partial<PlayerOrigin>) => set(value),
    setSort: (value: string) => set({ sort: value === 'last_seen_at' ? null : value }),
    /** In the URL, `-` means that no columns are shown. */
    setColumns: (value: string[]) => set({ columns: value.length > 0 ? value : '-' }),
    clear: () =>
      set({
        search: null,
        tag: null,
        filter: null,
        first_seen_from: null,
        first_seen_before: null,
        without: null,
        without_achievement: null,
      }),
  };
}

export type PlayerSearch = ReturnType<typeof usePlayerSearch>;
