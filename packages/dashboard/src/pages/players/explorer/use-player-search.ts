import type { PlayerSort } from '@overworld/contract/players/dashboard';
import { useSearchState } from '../../../ui/search-state.ts';
import { readConditions, writeConditions } from '../../../ui/conditions/conditions.ts';
import type { Condition } from '../../../ui/conditions/conditions.ts';

const SORTS: readonly PlayerSort[] = ['last_seen_at', 'first_seen_at', 'player_id'];

/** Reads and sets the search for players, and the order and columns of its result, in the page's URL. */
export function usePlayerSearch() {
  const { search, set } = useSearchState();
  const text = search.get('search') ?? '';
  const tags = search.getAll('tag');
  const conditions = readConditions(search.get('filter'));
  const sort = SORTS.find((name) => name === search.get('sort')) ?? 'last_seen_at';

  return {
    text,
    tags,
    conditions,
    sort,
    columns: search.has('columns') ? search.getAll('columns').filter((name) => name !== '-') : null,
    isFiltered: text !== '' || tags.length > 0 || conditions.length > 0,
    query: {
      search: text || undefined,
      tag: tags.length > 0 ? tags : undefined,
      filter: writeConditions(conditions) || undefined,
      sort,
    },
    setText: (value: string) => set({ search: value }),
    setTags: (value: string[]) => set({ tag: value }),
    setConditions: (value: Condition[]) => set({ filter: writeConditions(value) }),
    setSort: (value: string) => set({ sort: value === 'last_seen_at' ? null : value }),
    /** In the URL, `-` means that no columns are shown. */
    setColumns: (value: string[]) => set({ columns: value.length > 0 ? value : '-' }),
    clear: () => set({ search: null, tag: null, filter: null }),
  };
}

export type PlayerSearch = ReturnType<typeof usePlayerSearch>;
