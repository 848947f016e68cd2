import { useSearchState } from './search-state.ts';

/** The URL parameter that names the item whose dialog is open. */
export const OPENED = 'open';

/** The item of a list whose dialog is open. The URL names the item, so it can be linked to. */
export function useOpenedItem() {
  const { search, set } = useSearchState();
  return {
    /** The key of the item; null while no dialog is open. */
    opened: search.get(OPENED),
    open: (key: string) => set({ [OPENED]: key }),
    close: () => set({ [OPENED]: null }),
  };
}
