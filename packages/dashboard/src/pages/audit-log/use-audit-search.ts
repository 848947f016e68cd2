import { isDay } from '../../reports/days/report-days.ts';
import { useSearchState } from '../../ui/search-state.ts';

const NAMES = ['action', 'account_id', 'from', 'to'] as const;
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, null]));

/** Reads and sets the filters of the audit log, which are in the query of the page's URL. */
export function useAuditSearch() {
  const { search, set } = useSearchState();
  const dayOf = (name: 'from' | 'to') => {
    const day = search.get(name);
    return isDay(day) ? day : undefined;
  };
  const query = {
    action: search.get('action') ?? undefined,
    account_id: search.get('account_id') ?? undefined,
    from: dayOf('from'),
    to: dayOf('to'),
  };
  return {
    query,
    isFiltered: Object.values(query).some((value) => value !== undefined),
    set,
    clear: () => set(NOTHING),
  };
}

export type AuditSearch = ReturnType<typeof useAuditSearch>;
