import { useSearchState } from './search-state.ts';

/** The parameter of the address that names the item whose dialog is open. */
export const OPENED = 'open';

/** The item of a list whose dialog is open, by the address, so that it can be linked to. */
export function useOpenedItem() {
  const { search, set } = useSearchState();
  return {
    /** Its key; null while no dialog is open. */
    opened: search.get(OPENED),
    open: (key: string) => set({ [OPENED]: key }),
    close: () => set({ [OPENED]: null }),
  };
}
