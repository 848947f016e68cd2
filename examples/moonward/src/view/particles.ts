interface Particle {
  x: number;
  y: number;
  vx: number;
  vy: number;
  gravity: number;
  age_s: number;
  life_s: number;
  size: number;
  color: string;
}

interface Label {
  x: number;
  y: number;
  age_s: number;
  text: string;
}

const MOST_PARTICLES = 240;
const LABEL_LIFE_S = 0.9;

/** Sparks, dust and rising numbers. They do not affect the world. */
export class Particles {
  #particles: Particle[] = [];
  #labels: Label[] = [];
  readonly #still: () => boolean;

  constructor(still: () => boolean) {
    this.#still = still;
  }

  clear(): void {
    this.#particles = [];
    this.#labels = [];
  }

  /** Throws particles to all sides; does nothing if the player wants less motion. */
  burst(
    x: number,
    y: number,
    {
      count,
      speed,
      color,
      size = 3,
      life_s = 0.7,
      gravity = 160,
    }: {
      count: number;
      speed: number;
      color: string;
      size?: number;
      life_s?: number;
      gravity?: number;
    },
  ): void {
    if (this.#still()) return;
    for (let index = 0; index < count; index++) {
      const angle = Math.random() * 2 * Math.PI;
      const own = speed * (0.3 + 0.7 * Math.random());
      this.#particles.push({
        x,
        y,
        vx: Math.cos(angle) * own,
        vy: Math.sin(angle) * own,
        gravity,
        age_s: 0,
        life_s: life_s * (0.6 + 0.4 * Math.random()),
        size: size * (0.5 + 0.5 * Math.random()),
        color,
      });
    }
    this.#particles.splice(0, this.#particles.length - MOST_PARTICLES);
  }

  label(x: number, y: number, text: string): void {
    this.#labels.push({ x, y, age_s: 0, text });
  }

  advance(seconds: number): void {
    for (const one of this.#particles) {
      one.age_s += seconds;
      one.vy -= one.gravity * seconds;
      one.x += one.vx * seconds;
      one.y += one.vy * seconds;
    }
    for (const label of this.#labels) label.age_s += seconds;
    this.#particles = this.#particles.filter(({ age_s, life_s }) => age_s < life_s);
    this.#labels = this.#labels.filter(({ age_s }) => age_s < LABEL_LIFE_S);
  }

  draw(context: CanvasRenderingContext2D, top: number, label_color: string): void {
    for (const { x, y, age_s, life_s, size, color } of this.#particles) {
      const left = 1 - age_s / life_s;
      context.fillStyle = color;
      context.beginPath();
      context.arc(x, top - y, size * left, 0, 2 * Math.PI);
      context.fill();
    }
    context.textAlign = 'center';
    context.font = '800 17px "Figtree Variable", sans-serif';
    context.fillStyle = label_color;
    for (const { x, y, age_s, text } of this.#labels) {
      const share = age_s / LABEL_LIFE_S;
      context.globalAlpha = 1 - share ** 3;
      context.fillText(text, x, top - y - 30 - 34 * (1 - (1 - share) ** 3));
    }
    context.globalAlpha = 1;
  }
}
