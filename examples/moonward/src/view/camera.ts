/** The visible part of the world, and its shaking. */
export class Camera {
  /** The height of the visible part, in units; the visible part is as wide as the world. */
  view_height = 700;
  #center = 0;
  #shake = 0;
  #time_s = 0;
  readonly #still: () => boolean;

  constructor(still: () => boolean) {
    this.#still = still;
  }

  /** Jumps to the start of a night. */
  reset(moth_y: number): void {
    this.#center = this.#centerFor(moth_y);
    this.#shake = 0;
  }

  /**
   * Returns the centre at which the moth is a little below the middle, so that the player sees the way ahead.
   */
  #centerFor(moth_y: number): number {
    return moth_y + this.view_height * 0.1;
  }

  follow(moth_y: number, seconds: number): void {
    const wanted = this.#centerFor(moth_y);
    this.#center += (wanted - this.#center) * (1 - Math.exp(-seconds * 5));
    this.#shake *= Math.exp(-seconds * 7);
    this.#time_s += seconds;
  }

  /** Shakes the picture; a strength of 1 is a hard knock. */
  shake(strength: number): void {
    this.#shake = Math.max(this.#shake, strength);
  }

  get top(): number {
    return this.#center + this.view_height / 2;
  }

  get bottom(): number {
    return this.top - this.view_height;
  }

  /** Offset of the picture, in units. */
  get jolt(): { x: number; y: number } {
    if (this.#still()) return { x: 0, y: 0 };
    const t = this.#time_s;
    return {
      x: Math.sin(t * 71) * this.#shake * 9,
      y: Math.cos(t * 59) * this.#shake * 9,
    };
  }

  /** The offset between the colours, as in a sloppy print. A knock makes it larger. */
  get misprint(): number {
    return this.#still() ? 1.4 : 1.4 + this.#shake * 7;
  }
}
