import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';

export type Schedule = Answer<'GET /v1/games/{game_id}/config/schedules'>['open'][number];
export type ScheduleDetail = Answer<'GET /v1/games/{game_id}/config/schedules/{schedule_id}'>;

/** An open list shows the start of a change within this time. */
const REFRESH_MS = 15_000;

/** The scheduled changes of the environment. */
export function useSchedules() {
  const { inEnvironment } = useGame();
  return useRead('GET /v1/games/{game_id}/config/schedules', inEnvironment(), {
    every: REFRESH_MS,
  });
}
