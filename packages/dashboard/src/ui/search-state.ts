import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Keeps the filters of a page in the URL, so that every view can be shared and reloaded.
 * `set` replaces the given parameters. An empty or null value removes a parameter.
 */
export function useSearchState() {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (changes: Record<string, string | readonly string[] | null>) =>
      setSearch(
        () => {
          // Two changes may come before the next render, so the parameters of the last render may be out of
          // date. The URL has the current ones.
          const after = new URLSearchParams(location.search);
          for (const [name, value] of Object.entries(changes)) {
            after.delete(name);
            for (const each of typeof value === 'string' ? [value] : (value ?? [])) {
              if (each !== '') after.append(name, each);
            }
          }
          return after;
        },
        // If the page were drawn later, a click before that would build on the parameters of the last render.
        { replace: true, flushSync: true },
      ),
    [setSearch],
  );
  return { search, set };
}

/**
 * Keeps a choice between a few values in a URL parameter. The first
 * value is the default, for which the URL has no such parameter.
 */
export function useSearchChoice<const Value extends string>(
  name: string,
  values: readonly Value[],
): [chosen: Value, choose: (value: string) => void] {
  const { search, set } = useSearchState();
  const chosen = values.find((value) => value === search.get(name)) ?? values[0]!;
  return [chosen, (value) => set({ [name]: value === values[0] ? null : value })];
}
