import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { ALL_TIME_BOARD, DAILY_BOARD } from '../src/online/boards.ts';
import { DAWN_SPEED_LIMITS, MILD, WEATHERS } from '../src/world/weather.ts';

export const GAME_NAME = 'Moonward';

/** No night in the game reaches this score, so a higher score was not won in the game. */
const MAX_SCORE = 1_000_000;

export const BOARDS = [
  { board_name: DAILY_BOARD, reset_schedule: 'daily', min_score: 0, max_score: MAX_SCORE },
  { board_name: ALL_TIME_BOARD, reset_schedule: 'none', min_score: 0, max_score: MAX_SCORE },
] as const;

export const PARAMETERS: Record<string, ConfigParameter> = {
  weather: {
    value: MILD.weather,
    description: `The weather, also of nights that are being played: ${WEATHERS.map((name) => `"${name}"`).join(', ')}`,
  },
  dawn_speed: {
    value: MILD.dawn_speed,
    description: `How fast the dawn rises, ${DAWN_SPEED_LIMITS.minimum} to ${DAWN_SPEED_LIMITS.maximum}; 1 is usual`,
  },
};
