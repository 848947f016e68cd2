import { DEFAULT_PROGRESSION_PAGE } from '@overworld/contract/analytics/limits';
import { useEventNames, useEventProperties } from '../../../reports/questions/known-names.ts';
import { readConditions, writeConditions } from '../../../ui/conditions/conditions.ts';
import type { Condition } from '../../../ui/conditions/conditions.ts';
import { useSearchState } from '../../../ui/search-state.ts';
import { findProgressionEvents, findStepProperty } from './find-events.ts';
import { METRICS } from './metrics.ts';

/**
 * Reads the question about levels from the URL. What the URL does not name is found among the events of the
 * game.
 */
export function useProgressionQuestion() {
  const { search, set } = useSearchState();
  const names = useEventNames();
  const isNamed = search.has('start_event');
  const found = isNamed ? null : findProgressionEvents(names);
  const read = (name: 'start_event' | 'fail_event' | 'complete_event') =>
    found?.[name] ?? search.get(name) ?? '';
  const [start_event, fail_event, complete_event] = [
    read('start_event'),
    read('fail_event'),
    read('complete_event'),
  ];
  const properties = useEventProperties(start_event);
  const property = search.get('property') ?? findStepProperty(start_event, properties);
  const filter = readConditions<Condition>(search.get('filter'));
  const page = /^\d{1,3}$/.test(search.get('page') ?? '') ? Number(search.get('page')) : 1;
  const metric = METRICS.find(({ value }) => value === search.get('show')) ?? METRICS[0];
  const events = { start_event, fail_event, complete_event };
  return {
    ...events,
    names,
    property,
    properties,
    filter,
    page: Math.max(1, page),
    metric,
    isAsked: start_event !== '' && property !== '',
    query: {
      start_event,
      fail_event: fail_event || undefined,
      complete_event: complete_event || undefined,
      property,
      filter: writeConditions(filter) || undefined,
      limit: DEFAULT_PROGRESSION_PAGE,
      offset: page > 1 ? (page - 1) * DEFAULT_PROGRESSION_PAGE : undefined,
    },
    /** Changes one event; the others stay as they are found. */
    setEvent: (name: keyof typeof events, value: string) =>
      set({ ...events, [name]: value, page: null }),
    setProperty: (value: string) => set({ ...events, property: value, page: null }),
    setFilter: (conditions: Condition[]) =>
      set({ filter: writeConditions(conditions), page: null }),
    setMetric: (value: string) => set({ show: value === METRICS[0].value ? null : value }),
    setPage: (value: number) => set({ page: value === 1 ? null : String(value) }),
  };
}

export type ProgressionQuestion = ReturnType<typeof useProgressionQuestion>;
