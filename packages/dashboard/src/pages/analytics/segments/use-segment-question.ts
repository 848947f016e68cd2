import { readChoice, readList, writeChoice } from '../../../reports/event-choice.ts';
import type { EventChoice } from '../../../reports/event-choice.ts';
import { useSearchState } from '../../../ui/search-state.ts';
import { readConditions, writeConditions } from '../../players/conditions.ts';
import type { Condition } from '../../players/conditions.ts';

/** What a saved segment consists of: the API's own parameters. */
export const SEGMENT_PARAMETERS = ['tag', 'filter', 'events'] as const;

/** What players of a segment did, at least so often, or did not do. */
export interface Deed extends EventChoice {
  did: boolean;
  at_least: number;
}

export const BLANK_DEED: Deed = { event_name: '', filter: [], did: true, at_least: 1 };

const readDeed = (deed: Record<string, unknown>): Deed => ({
  ...readChoice(deed),
  did: deed.did !== false,
  at_least: typeof deed.at_least === 'number' && deed.at_least >= 1 ? Math.round(deed.at_least) : 1,
});

const writeDeed = ({ did, at_least, ...choice }: Deed) => ({
  ...writeChoice(choice),
  ...(!did && { did }),
  ...(at_least > 1 && { at_least }),
});

const writeDeeds = (deeds: readonly Deed[]) =>
  deeds.length > 0 ? JSON.stringify(deeds.map(writeDeed)) : '';

/** The segment that the address asks for. Deeds without an event are still being built. */
export function useSegmentQuestion() {
  const { search, set } = useSearchState();
  const tags = search.getAll('tag');
  const conditions = readConditions(search.get('filter'));
  const deeds = readList(search.get('events')).map(readDeed);
  const asked = deeds.filter(({ event_name }) => event_name !== '');
  return {
    tags,
    conditions,
    deeds,
    asked,
    /** Something is asked for, and no deed is still being built. */
    isWhole: tags.length + conditions.length + asked.length > 0 && asked.length === deeds.length,
    query: {
      tag: tags.length > 0 ? tags : undefined,
      filter: writeConditions(conditions) || undefined,
      events: writeDeeds(asked) || undefined,
    },
    setTags: (next: string[]) => set({ tag: next.map((tag) => tag.trim().toLowerCase()) }),
    setConditions: (next: Condition[]) => set({ filter: writeConditions(next) }),
    setDeeds: (next: Deed[]) => set({ events: writeDeeds(next) }),
    clear: () => set({ tag: null, filter: null, events: null }),
  };
}

export type SegmentQuestion = ReturnType<typeof useSegmentQuestion>;
