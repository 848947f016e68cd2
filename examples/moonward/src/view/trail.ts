import type { Run } from '../world/run.ts';
import { PAPER } from './inks.ts';

const LENGTH = 26;

/** The trail of dust behind the moth. */
export class Trail {
  #points: { x: number; y: number }[] = [];

  clear(): void {
    this.#points = [];
  }

  draw(context: CanvasRenderingContext2D, { moth, over, time_s }: Run, top: number): void {
    if (over) this.#points.shift();
    else if (time_s > 0) this.#points.push({ x: moth.x, y: moth.y });
    if (this.#points.length > LENGTH) this.#points.shift();
    context.fillStyle = PAPER;
    for (const [index, { x, y }] of this.#points.entries()) {
      if (index % 3 !== 0) continue;
      const share = index / LENGTH;
      context.globalAlpha = share * 0.7;
      context.beginPath();
      context.arc(x, top - y, 0.6 + share * 2.6, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }
}
