import { MAX_BREAKDOWN_GROUPS } from '@overworld/contract/analytics/limits';
import type { EventChoice } from '../../../reports/questions/event-choice.ts';
import { readChoice } from '../../../reports/questions/event-choice.ts';
import { useSearchState } from '../../../ui/search-state.ts';
import { readConditions, writeConditions } from '../../../ui/conditions/conditions.ts';
import { MEASURES } from './measures.ts';

/** The numbers of groups that a reader can ask for, one after the other. */
const LIMITS = [10, 50, 200, MAX_BREAKDOWN_GROUPS] as const;

/** Reads the breakdown that the URL describes, and returns functions that change it. */
export function useBreakdownQuestion() {
  const { search, set } = useSearchState();
  const choice = readChoice({
    event_name: search.get('event_name'),
    filter: readConditions(search.get('filter')),
  });
  const group_by = search.get('group_by') ?? '';
  const property = search.get('property') ?? '';
  const choices = MEASURES.filter(({ isOfProperty }) => !isOfProperty || property !== '');
  const usual = property === '' ? 'events' : 'sum';
  const measure =
    choices.find(({ value }) => value === (search.get('show') ?? usual)) ?? choices[0]!;

  const limit = LIMITS.find((each) => String(each) === search.get('limit')) ?? LIMITS[0];
  const more = LIMITS.find((each) => each > limit) ?? null;
  return {
    /** The next larger number of groups; null if there is none, or if the groups are those of a split. */
    more: group_by === '' ? null : more,
    showMore: () => set({ limit: more === null ? null : String(more) }),
    choice,
    group_by,
    property,
    /** The measures that the chart can show, and the measure that it shows. */
    choices,
    measure,
    isAsked: choice.event_name !== '',
    query: {
      event_name: choice.event_name,
      filter: writeConditions(choice.filter) || undefined,
      group_by: group_by || undefined,
      ...(group_by !== '' && { split_by: undefined }),
      property: property || undefined,
      ...(group_by !== '' && limit !== LIMITS[0] && { limit }),
      currency: search.get('currency') ?? undefined,
    },
    setChoice: ({ event_name, filter }: EventChoice) =>
      set({ event_name, filter: writeConditions(filter) }),
    setGroupBy: (name: string) => set({ group_by: name }),
    setProperty: (name: string) => set({ property: name, show: null, currency: null }),
    setCurrency: (currency: string | null) => set({ currency }),
    setMeasure: (value: string) => set({ show: value === usual ? null : value }),
  };
}

export type BreakdownQuestion = ReturnType<typeof useBreakdownQuestion>;
