/** Ranks an item for the typed letters: 0 is the best match, null is no match. */
export function rankOf(letters: string, label: string, keywords = ''): number | null {
  const name = label.toLowerCase();
  const words = letters.split(/\s+/);
  if (name === letters) return 0;
  if (name.startsWith(letters)) return 1;
  if (` ${name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${letters}`)) return 2;
  if (words.every((word) => name.includes(word))) return 3;
  const all = `${name} ${keywords.toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 4 : null;
}

export interface Findable {
  label: string;
  /** Further words by which the item is found. */
  keywords?: string;
}

export interface Group<Item extends Findable> {
  label: string;
  items: readonly Item[];
  /** The maximum number of items to show. */
  max?: number;
}

/**
 * Lists the items that match the typed letters. Within a group, the best match comes first.
 * The group with the best match comes first among the groups.
 */
export function rankGroups<Item extends Findable>(
  letters: string,
  groups: readonly Group<Item>[],
): Group<Item>[] {
  if (letters === '') return groups.filter(({ items }) => items.length > 0);
  return groups
    .map(({ label, items, max }) => {
      const ranked = items
        .map((item) => ({ item, rank: rankOf(letters, item.label, item.keywords) }))
        .filter((each): each is { item: Item; rank: number } => each.rank !== null)
        .toSorted((a, b) => a.rank - b.rank)
        .slice(0, max);
      return { label, items: ranked.map(({ item }) => item), rank: ranked[0]?.rank };
    })
    .filter((group): group is typeof group & { rank: number } => group.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ label, items }) => ({ label, items }));
}
