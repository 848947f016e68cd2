import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Filters live in the address, so that every view can be shared and reloaded.
 * `set` replaces the named ones; an empty or null value takes one out.
 */
export function useSearchState() {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (changes: Record<string, string | readonly string[] | null>) =>
      setSearch(
        () => {
          // Not what the last render saw: two changes may come before the next one.
          const after = new URLSearchParams(location.search);
          for (const [name, value] of Object.entries(changes)) {
            after.delete(name);
            for (const each of typeof value === 'string' ? [value] : (value ?? [])) {
              if (each !== '') after.append(name, each);
            }
          }
          return after;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return { search, set };
}
