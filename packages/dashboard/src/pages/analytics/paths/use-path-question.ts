import {
  DEFAULT_PATH_EVENTS,
  DEFAULT_PATH_STEPS,
  MAX_PATH_EVENTS,
  MAX_PATH_HOURS,
  MAX_PATH_STEPS,
} from '@overworld/contract/analytics/limits';
import { readChoice } from '../../../reports/questions/event-choice.ts';
import type { EventChoice } from '../../../reports/questions/event-choice.ts';
import { readConditions, writeConditions } from '../../../ui/conditions/conditions.ts';
import { useSearchState } from '../../../ui/search-state.ts';

/** Reads the question about paths from the URL, and returns functions that change the question in the URL. */
export function usePathQuestion() {
  const { search, set } = useSearchState();
  const choice = readChoice({
    event_name: search.get('event_name'),
    filter: readConditions(search.get('filter')),
  });
  const direction = search.get('direction') === 'previous' ? 'previous' : 'next';
  const repeats = search.get('repeats') === 'keep' ? 'keep' : 'join';
  const window_hours = readWhole(search.get('window_hours'), MAX_PATH_HOURS);
  const steps = readWhole(search.get('steps'), MAX_PATH_STEPS) ?? DEFAULT_PATH_STEPS;
  const limit = readWhole(search.get('limit'), MAX_PATH_EVENTS) ?? DEFAULT_PATH_EVENTS;
  const hide = search.getAll('hide');
  const setWhole = (name: string, usual: number | null) => (value: number | null) =>
    set({ [name]: value === usual || value === null ? null : String(value) });

  return {
    choice,
    direction,
    window_hours,
    steps,
    limit,
    hide,
    repeats,
    isAsked: choice.event_name !== '',
    query: {
      event_name: choice.event_name,
      filter: writeConditions(choice.filter) || undefined,
      direction,
      window_hours: window_hours ?? undefined,
      steps,
      limit,
      hide: hide.length > 0 ? hide : undefined,
      repeats,
    },
    setChoice: ({ event_name, filter }: EventChoice) =>
      set({ event_name, filter: writeConditions(filter) }),
    setDirection: (value: string) => set({ direction: value === 'next' ? null : value }),
    setWindow: setWhole('window_hours', null),
    setSteps: setWhole('steps', DEFAULT_PATH_STEPS),
    setLimit: setWhole('limit', DEFAULT_PATH_EVENTS),
    setHide: (names: string[]) => set({ hide: names }),
    setRepeats: (keeps: boolean) => set({ repeats: keeps ? 'keep' : null }),
  } as const;
}

export type PathQuestion = ReturnType<typeof usePathQuestion>;

/** Reads a whole number from 1 to `highest`; returns null for any other text. */
function readWhole(text: string | null, highest: number): number | null {
  if (text === null || !/^\d{1,4}$/.test(text)) return null;
  const number = Number(text);
  return number >= 1 && number <= highest ? number : null;
}
