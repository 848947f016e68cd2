import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Filters are in the address, so that every view can be shared and reloaded. `set` replaces the named
 * parameters. An empty or null value removes a parameter.
 */
export function useSearchState() {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (changes: Record<string, string | readonly string[] | null>) =>
      setSearch(
        () => {
          // Two changes may come before the next render, so the parameters of the last render may be
          // out of date.
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

/**
 * A parameter of the address with few values. The first value is the default, and is not in the
 * address.
 */
export function useSearchChoice<const Value extends string>(
  name: string,
  values: readonly Value[],
): [chosen: Value, choose: (value: string) => void] {
  const { search, set } = useSearchState();
  const chosen = values.find((value) => value === search.get(name)) ?? values[0]!;
  return [chosen, (value) => set({ [name]: value === values[0] ? null : value })];
}
