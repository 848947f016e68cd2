import type { Run } from '../world/run.ts';
import { WORLD_WIDTH } from '../world/units.ts';
import { WEATHER_RULES, windAt } from '../world/weather.ts';
import { PAPER } from './inks.ts';

const COUNT = 14;
/** The weakest wind that is drawn, in units/s². */
const LEAST_FORCE = 15;

/** Computes the push of the wind in units/s². It is negative when the wind pushes to the left. */
export const forceOf = ({ difficulty, time_s }: Run): number =>
  WEATHER_RULES[difficulty.weather].wind * windAt(time_s);

/** Draws strokes that show the direction of the wind. */
export class Gusts {
  /**
   * Each stroke starts above the picture. Strokes outside the picture are moved to the side from which the
   * wind blows, so the first frame moves all of them there.
   */
  #strokes = Array.from({ length: COUNT }, () => ({ x: 0, y: -1 }));
  readonly #still: () => boolean;

  constructor(still: () => boolean) {
    this.#still = still;
  }

  draw(
    context: CanvasRenderingContext2D,
    force: number,
    seconds: number,
    view_height: number,
  ): void {
    if (this.#still() || Math.abs(force) < LEAST_FORCE) return;
    context.strokeStyle = PAPER;
    context.lineWidth = 1.4;
    context.globalAlpha = Math.min(Math.abs(force) / 500, 0.5);
    context.beginPath();
    for (const stroke of this.#strokes) {
      if (stroke.x < -60 || stroke.x > WORLD_WIDTH + 60 || stroke.y < 0) {
        stroke.x = force > 0 ? -50 * Math.random() : WORLD_WIDTH + 50 * Math.random();
        stroke.y = Math.random() * view_height;
      }
      stroke.x += force * 2.2 * seconds;
      context.moveTo(stroke.x, stroke.y);
      context.lineTo(stroke.x - force * 0.16, stroke.y);
    }
    context.stroke();
    context.globalAlpha = 1;
  }
}
