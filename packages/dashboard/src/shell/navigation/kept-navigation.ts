import { useLocalStorage } from '@mantine/hooks';

/** Reads JSON that the browser has stored. Returns the fallback if it is not of the same kind. */
function readKept<T extends object>(text: string | undefined, fallback: T): T {
  try {
    const kept: unknown = JSON.parse(text ?? '');
    const isSame =
      typeof kept === 'object' && kept !== null && Array.isArray(kept) === Array.isArray(fallback);
    return isSame ? (kept as T) : fallback;
  } catch {
    return fallback;
  }
}

const useKept = <T extends object>(key: string, fallback: T) =>
  useLocalStorage<T>({
    key,
    defaultValue: fallback,
    getInitialValueInEffect: false,
    deserialize: (text) => readKept(text, fallback),
  });

const NONE: string[] = [];

/**
 * The pages that the reader keeps on top of the navigation, by their paths, in the order of their choice.
 * They are the same in all games, and all tabs of the browser share them.
 */
export function useFavourites() {
  const [favourites, keep] = useKept('overworld.favourites', NONE);
  const toggle = (path: string) =>
    keep(
      favourites.includes(path)
        ? favourites.filter((kept) => kept !== path)
        : [...favourites, path],
    );
  return { favourites, toggle };
}

const AS_THE_PAGE_IS: Record<string, boolean> = {};

/**
 * The groups of the navigation that the reader has opened or closed, by their headings. Of the others,
 * only the one with the open page is open, so all headings stay in sight in a low window.
 */
export function useOpenGroups() {
  const [chosen, keep] = useKept('overworld.navigation', AS_THE_PAGE_IS);
  return {
    isOpen: (heading: string, otherwise: boolean) => chosen[heading] ?? otherwise,
    setOpen: (heading: string, isOpen: boolean) => keep({ ...chosen, [heading]: isOpen }),
  };
}
