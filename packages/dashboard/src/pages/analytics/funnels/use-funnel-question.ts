import {
  DEFAULT_FUNNEL_WINDOW_MINUTES,
  MIN_FUNNEL_STEPS,
} from '@overworld/contract/analytics/limits';
import { readChoice, readList, writeChoice } from '../../../reports/questions/event-choice.ts';
import type { EventChoice } from '../../../reports/questions/event-choice.ts';
import { useSearchState } from '../../../ui/search-state.ts';

export const BLANK_STEP: EventChoice = { event_name: '', filter: [] };
/**
 * Reads the funnel that the URL describes. If the user has not chosen the event of a
 * step yet, its `event_name` is empty.
 */
export function useFunnelQuestion() {
  const { search, set } = useSearchState();
  const read = readList(search.get('steps')).map(readChoice);
  const missing = Math.max(0, MIN_FUNNEL_STEPS - read.length);
  const steps = [...read, ...Array.from({ length: missing }, () => BLANK_STEP)];
  const asked = steps.filter(({ event_name }) => event_name !== '');
  const window_minutes = Number(search.get('window_minutes') ?? DEFAULT_FUNNEL_WINDOW_MINUTES);
  const breakdown = search.get('breakdown') ?? '';
  const isAsked = asked.length >= MIN_FUNNEL_STEPS;

  return {
    steps,
    /** The steps whose event is chosen. */
    asked,
    window_minutes,
    breakdown,
    /** True if enough steps have an event, so that the server can answer. */
    isAsked,
    /** True if all steps have an event. */
    isWhole: isAsked && asked.length === steps.length,
    query: {
      steps: JSON.stringify(asked.map(writeChoice)),
      window_minutes,
      breakdown: breakdown || undefined,
      ...(breakdown !== '' && { split_by: undefined }),
    },
    setSteps: (next: EventChoice[]) => set({ steps: JSON.stringify(next.map(writeChoice)) }),
    setWindow: (minutes: number) =>
      set({ window_minutes: minutes === DEFAULT_FUNNEL_WINDOW_MINUTES ? null : String(minutes) }),
    setBreakdown: (property: string) => set({ breakdown: property }),
    clear: () => set({ steps: null, window_minutes: null, breakdown: null }),
  };
}

export type FunnelQuestion = ReturnType<typeof useFunnelQuestion>;
