import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import type { ScheduleState } from '@overworld/contract/remote-config/schedules';

export type Schedule = Answer<'GET /v1/games/{game_id}/config/schedules'>['open'][number];
export type ScheduleDetail = Answer<'GET /v1/games/{game_id}/config/schedules/{schedule_id}'>;

/** While the list is open, it is loaded again at this interval, so it shows when a change starts. */
const REFRESH_MS = 15_000;

/** Loads the scheduled changes of the environment. */
export function useSchedules() {
  const { inEnvironment } = useGame();
  return useRead('GET /v1/games/{game_id}/config/schedules', inEnvironment(), {
    every: REFRESH_MS,
  });
}

export const STATES: Record<ScheduleState, { words: string; color: string }> = {
  coming: { words: 'coming', color: 'gray' },
  running: { words: 'running', color: 'moss' },
  done: { words: 'done', color: 'gray' },
  cancelled: { words: 'cancelled', color: 'gray' },
  missed: { words: 'missed', color: 'ochre' },
  failed: { words: 'failed', color: 'clay' },
};

/** Describes the outcome of a change. Returns null if there is nothing to add to the state of the change. */
export function outcomeOf({ state, kept_keys, problem }: Schedule): string | null {
  if (state === 'missed') return 'No server ran during its time. Nothing was changed.';
  if (state === 'failed') return `It was not made: ${problem}.`;
  if (kept_keys.length === 0) return null;
  return `Left as it was at the end, because somebody had changed it or an experiment ran on it: ${kept_keys.join(', ')}.`;
}
