import type { PlayerSort } from '@overworld/contract/players/dashboard';
import { LACKED_BY_PLAYERS } from '@overworld/contract/players/player-conditions';
import type { LackedByPlayers } from '@overworld/contract/players/player-conditions';
import { useSearchState } from '../../../ui/search-state.ts';
import { readConditions, writeConditions } from '../../../ui/conditions/conditions.ts';
import type { Condition } from '../../../ui/conditions/conditions.ts';

const SORTS: readonly PlayerSort[] = ['last_seen_at', 'first_seen_at', 'player_id'];

/** The times between which players were first named. Null stands for any time. */
export interface FirstSeen {
  from: string | null;
  before: string | null;
}

/** Reads and sets the search for players, and the order and columns of its result, in the page's URL. */
export function usePlayerSearch() {
  const { search, set } = useSearchState();
  const text = search.get('search') ?? '';
  const tags = search.getAll('tag');
  const conditions = readConditions(search.get('filter'));
  const first_seen: FirstSeen = {
    from: search.get('first_seen_from'),
    before: search.get('first_seen_before'),
  };
  const without = LACKED_BY_PLAYERS.filter((name) => search.getAll('without').includes(name));
  const sort = SORTS.find((name) => name === search.get('sort')) ?? 'last_seen_at';

  return {
    text,
    tags,
    conditions,
    first_seen,
    without,
    sort,
    columns: search.has('columns') ? search.getAll('columns').filter((name) => name !== '-') : null,
    isFiltered:
      text !== '' ||
      tags.length > 0 ||
      conditions.length > 0 ||
      first_seen.from !== null ||
      first_seen.before !== null ||
      without.length > 0,
    query: {
      search: text || undefined,
      tag: tags.length > 0 ? tags : undefined,
      filter: writeConditions(conditions) || undefined,
      first_seen_from: first_seen.from ?? undefined,
      first_seen_before: first_seen.before ?? undefined,
      without: without.length > 0 ? without : undefined,
      sort,
    },
    setText: (value: string) => set({ search: value }),
    setTags: (value: string[]) => set({ tag: value }),
    setConditions: (value: Condition[]) => set({ filter: writeConditions(value) }),
    setFirstSeen: ({ from, before }: FirstSeen) =>
      set({ first_seen_from: from, first_seen_before: before }),
    setWithout: (value: LackedByPlayers[]) => set({ without: value }),
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
      }),
  };
}

export type PlayerSearch = ReturnType<typeof usePlayerSearch>;
