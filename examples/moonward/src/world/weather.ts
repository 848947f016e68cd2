/** The values that remote config may give `weather`. */
export const WEATHERS = ['calm', 'breeze', 'gale'] as const;
export type Weather = (typeof WEATHERS)[number];

/** The difficulty of a night. Both values can change during play. */
export interface Difficulty {
  weather: Weather;
  /** Multiplies the speed of the dawn, by 0.5 to 3. */
  dawn_speed: number;
}

export const MILD: Difficulty = { weather: 'calm', dawn_speed: 1 };
export const DAWN_SPEED_LIMITS = { minimum: 0.5, maximum: 3 };

interface WeatherRules {
  /** The strongest push of the wind on a moth in free flight, in units/s². */
  wind: number;
  /** The distance that lamps swing to each side, in units. */
  sway: number;
  /** The time for which a lamp burns while the moth circles it, in seconds. */
  lamp_burn_s: number;
}

export const WEATHER_RULES: Record<Weather, WeatherRules> = {
  calm: { wind: 0, sway: 0, lamp_burn_s: 3.2 },
  breeze: { wind: 130, sway: 8, lamp_burn_s: 2.7 },
  gale: { wind: 300, sway: 22, lamp_burn_s: 2.2 },
};

/** Returns the wind at a time, from -1 to 1. The wind turns slowly from one side to the other. */
export const windAt = (seconds: number): number =>
  Math.sin(seconds * 0.55) * 0.75 + Math.sin(seconds * 1.7) * 0.25;

/**
 * Reads the difficulty from the values of remote config. For a missing or invalid value, the value of a mild
 * night is used. Numbers are kept within their limits, so every config gives a night that can be played.
 */
export function readDifficulty(config: Record<string, unknown>): Difficulty {
  const { minimum, maximum } = DAWN_SPEED_LIMITS;
  const weather = WEATHERS.find((name) => name === config.weather) ?? MILD.weather;
  const speed = config.dawn_speed;
  const isNumber = typeof speed === 'number' && Number.isFinite(speed);
  const dawn_speed = isNumber ? Math.min(Math.max(speed, minimum), maximum) : MILD.dawn_speed;
  return { weather, dawn_speed };
}

export const isSameDifficulty = (one: Difficulty, other: Difficulty): boolean =>
  one.weather === other.weather && one.dawn_speed === other.dawn_speed;
