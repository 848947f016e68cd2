import type { ScheduleState } from '@overworld/contract/remote-config/schedules';
import type { Schedule } from './schedules.ts';

export const STATES: Record<ScheduleState, { words: string; color: string }> = {
  coming: { words: 'coming', color: 'gray' },
  running: { words: 'running', color: 'moss' },
  done: { words: 'done', color: 'gray' },
  cancelled: { words: 'cancelled', color: 'gray' },
  missed: { words: 'missed', color: 'ochre' },
  failed: { words: 'failed', color: 'clay' },
};

/** The outcome of a change, where there is more to say than its state; null otherwise. */
export function outcomeOf({ state, kept_keys, problem }: Schedule): string | null {
  if (state === 'missed') return 'No server ran during its time. Nothing was changed.';
  if (state === 'failed') return `It was not made: ${problem}.`;
  if (kept_keys.length === 0) return null;
  return `Changed by hand meanwhile, and left so: ${kept_keys.join(', ')}.`;
}
