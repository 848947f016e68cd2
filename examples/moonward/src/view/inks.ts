import type { Weather } from '../world/weather.ts';

/**
 * The picture is printed like a poster: on paper, with a night ink that depends on the weather, and with
 * two more inks.
 */
export const PAPER = '#f6ecd6';
export const CORAL = '#ff5a4a';
export const YELLOW = '#ffc22e';

export type Rgb = readonly [number, number, number];

const NIGHT_INKS: Record<Weather, Rgb> = {
  calm: [38, 49, 134],
  breeze: [6, 92, 98],
  gale: [92, 26, 92],
};

const CHANGE_S = 1.6;

/** The night ink, which fades from one weather to the next. */
export class NightInk {
  #from: Rgb = NIGHT_INKS.calm;
  #to: Rgb = NIGHT_INKS.calm;
  #share = 1;

  setWeather(weather: Weather): void {
    if (this.#to === NIGHT_INKS[weather]) return;
    this.#from = this.color;
    this.#to = NIGHT_INKS[weather];
    this.#share = 0;
  }

  advance(seconds: number): void {
    this.#share = Math.min(1, this.#share + seconds / CHANGE_S);
  }

  get color(): Rgb {
    const eased = 1 - (1 - this.#share) ** 3;
    return [0, 1, 2].map(
      (index) => this.#from[index]! + (this.#to[index]! - this.#from[index]!) * eased,
    ) as unknown as Rgb;
  }
}

/** Writes an ink as a CSS colour. A `lightness` below 1 makes it darker, and one above 1 lighter. */
export function toCss([red, green, blue]: Rgb, lightness = 1): string {
  const channel = (value: number) =>
    Math.round(lightness <= 1 ? value * lightness : value + (255 - value) * (lightness - 1));
  return `rgb(${channel(red)} ${channel(green)} ${channel(blue)})`;
}

/** Writes the night ink of a weather as a CSS colour. */
export const nightColor = (weather: Weather): string => toCss(NIGHT_INKS[weather]);
