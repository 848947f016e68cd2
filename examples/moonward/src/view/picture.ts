import { createRandom } from '../world/random.ts';
import { reachOf } from '../world/run.ts';
import type { Run, RunEvent } from '../world/run.ts';
import type { Lamp } from '../world/scenery.ts';
import { findTarget } from '../world/step.ts';
import { WORLD_WIDTH } from '../world/units.ts';
import { WEATHER_RULES } from '../world/weather.ts';
import { drawDawn, drawLand, drawSky } from './backdrop.ts';
import { Camera } from './camera.ts';
import { drawBat, drawLamp, drawMoth } from './creatures.ts';
import { forceOf, Gusts } from './gusts.ts';
import { drawGrain, drawHalftoneTiles, TILE_SHARPNESS } from './halftone.ts';
import { CORAL, NightInk, PAPER, toCss, YELLOW } from './inks.ts';
import { Particles } from './particles.ts';
import { Trail } from './trail.ts';

/** The highest resolution, in pixels of the canvas for each CSS pixel. Nobody would see a higher one. */
const MOST_PIXELS_PER_PIXEL = 2;

/** Draws a run and its events on a canvas. */
export class Picture {
  readonly ink = new NightInk();
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #camera: Camera;
  readonly #particles: Particles;
  readonly #tiles = drawHalftoneTiles();
  readonly #grain: CanvasPattern;
  #scale = 1;
  #time_s = 0;
  readonly #trail = new Trail();
  readonly #gusts: Gusts;

  /** @param still Tells whether the player wants no decorative motion. */
  constructor(canvas: HTMLCanvasElement, still: () => boolean) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: false })!;
    this.#camera = new Camera(still);
    this.#particles = new Particles(still);
    this.#grain = this.#context.createPattern(drawGrain(createRandom(3)), 'repeat')!;
    this.#grain.setTransform(new DOMMatrix().scale(1 / TILE_SHARPNESS));
    this.#gusts = new Gusts(still);
  }

  /** Fits the canvas to its size on the page. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const ratio = Math.min(devicePixelRatio, MOST_PIXELS_PER_PIXEL);
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#scale = this.#canvas.width / WORLD_WIDTH;
    this.#camera.view_height = this.#canvas.height / this.#scale;
  }

  reset(run: Run): void {
    this.#camera.reset(run.moth.y);
    this.#particles.clear();
    this.#trail.clear();
    this.ink.setWeather(run.difficulty.weather);
  }

  /** Shows an event of the world with sparks, labels and a shaking picture. */
  show(event: RunEvent, run: Run): void {
    const { x, y } = run.moth;
    switch (event.kind) {
      case 'light': {
        const { lamp, points, leapt, chain } = event;
        this.#particles.burst(lamp.x, lamp.y, { count: 16, speed: 190, color: YELLOW });
        this.#particles.label(lamp.x, lamp.y, leapt >= 2 ? `leap! +${points}` : `+${points}`);
        this.#camera.shake(Math.min(0.12 + chain * 0.02, 0.35));
        break;
      }
      case 'release':
        this.#particles.burst(x, y, { count: 5, speed: 70, color: PAPER, size: 2, life_s: 0.4 });
        break;
      case 'burn_out':
        this.#particles.burst(event.lamp.x, event.lamp.y, {
          count: 14,
          speed: 60,
          color: toCss(this.ink.color, 0.55),
          size: 7,
          life_s: 1.2,
          gravity: -90,
        });
        this.#camera.shake(0.4);
        break;
      case 'pollen':
        this.#particles.burst(event.x, event.y, {
          count: 6,
          speed: 90,
          color: YELLOW,
          size: 2.4,
          life_s: 0.45,
        });
        break;
      case 'bump':
        this.#particles.burst(event.x, event.y, { count: 8, speed: 120, color: PAPER, size: 2.4 });
        this.#camera.shake(0.45);
        break;
      case 'bat':
      case 'second_wind':
        this.#particles.burst(x, y, { count: 26, speed: 240, color: CORAL, size: 4 });
        this.#camera.shake(1);
        break;
      case 'weather':
        this.ink.setWeather(event.weather);
        this.#camera.shake(0.8);
        break;
      case 'over':
        this.#particles.burst(x, y, { count: 40, speed: 300, color: PAPER, size: 4, life_s: 1.1 });
        this.#camera.shake(1);
        break;
      case 'catch':
    }
  }

  draw(run: Run, seconds: number): void {
    this.#time_s += seconds;
    this.ink.advance(seconds);
    this.#camera.follow(run.over ? run.dawn_y + 60 : run.moth.y, seconds);
    this.#particles.advance(seconds);

    const context = this.#context;
    const camera = this.#camera;
    const { top, view_height, misprint } = camera;
    const { x, y } = camera.jolt;
    context.setTransform(this.#scale, 0, 0, this.#scale, x * this.#scale, y * this.#scale);
    const sight = { top, view_height, misprint, ink: this.ink.color };
    drawSky(context, sight, this.#tiles);
    drawLand(context, sight);
    this.#gusts.draw(context, forceOf(run), seconds, view_height);
    this.#drawLamps(run);
    this.#drawPollen(run);
    this.#drawMoth(run);
    drawDawn(context, sight, run.dawn_y, this.#tiles, this.#time_s);
    this.#particles.draw(context, top, PAPER);
    context.fillStyle = this.#grain;
    context.fillRect(-20, -20, WORLD_WIDTH + 40, view_height + 40);
  }

  #drawLamps(run: Run): void {
    const context = this.#context;
    const { top, bottom, misprint } = this.#camera;
    const ink = toCss(this.ink.color, 0.5);
    const burn_s = WEATHER_RULES[run.difficulty.weather].lamp_burn_s;
    for (const lamp of run.scenery.lamps) {
      if (lamp.y > top + 90 || lamp.y < bottom - 90) continue;
      const left = Math.max(0, 1 - lamp.burnt_s / burn_s);
      if (lamp.lit && !lamp.out) this.#drawGlow(lamp, left);
      const string = Math.sin(lamp.number * 2.4) * 12 + (lamp.home_x - lamp.x);
      drawLamp(context, { ...lamp, y: top - lamp.y, left, string, ink, misprint });
    }
    const target = run.tether ? null : findTarget(run);
    if (target) this.#drawAim(target, run);
  }

  /** Draws the light of a flame. The light shrinks with the remaining time, and flickers at the end. */
  #drawGlow(lamp: Lamp, left: number): void {
    const flicker = left < 0.35 ? 0.12 * Math.sin(this.#time_s * 40) : 0;
    const radius = this.#tiles.glow_radius * (0.55 + 0.5 * left + flicker);
    const y = this.#camera.top - lamp.y;
    this.#context.globalAlpha = 0.75;
    this.#context.drawImage(this.#tiles.glow, lamp.x - radius, y - radius, radius * 2, radius * 2);
    this.#context.globalAlpha = 1;
  }

  /** Marks the lamp that a press would catch. */
  #drawAim(lamp: Lamp, run: Run): void {
    const context = this.#context;
    const near = 1 - Math.hypot(lamp.x - run.moth.x, lamp.y - run.moth.y) / reachOf(run);
    context.strokeStyle = YELLOW;
    context.globalAlpha = 0.45 + 0.55 * near;
    context.lineWidth = 2;
    context.setLineDash([5, 6]);
    context.lineDashOffset = -this.#time_s * 22;
    context.beginPath();
    context.arc(lamp.x, this.#camera.top - lamp.y, 24, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  #drawPollen({ scenery }: Run): void {
    const context = this.#context;
    const { top, bottom, misprint } = this.#camera;
    for (const [color, offset, size] of [
      [CORAL, misprint * 0.8, 4],
      [YELLOW, 0, 4],
    ] as const) {
      context.fillStyle = color;
      for (const { x, y } of scenery.pollen) {
        if (y > top + 10 || y < bottom - 10) continue;
        const beat = 1 + 0.16 * Math.sin(this.#time_s * 5 + y);
        context.beginPath();
        context.arc(x + offset, top - y + offset, size * beat, 0, 2 * Math.PI);
        context.fill();
      }
    }
  }

  #drawMoth(run: Run): void {
    const context = this.#context;
    const { moth, tether } = run;
    const { top, bottom, misprint } = this.#camera;
    for (const bat of run.scenery.bats) {
      if (bat.y > top + 20 || bat.y < bottom - 20) continue;
      drawBat(
        context,
        bat.x,
        top - bat.y,
        this.#time_s * 13 + bat.phase,
        toCss(this.ink.color, 0.4),
      );
    }
    this.#trail.draw(context, run, top);
    if (run.over) return;
    if (tether) {
      context.strokeStyle = YELLOW;
      context.lineWidth = 1.4;
      context.globalAlpha = 0.8;
      context.beginPath();
      context.moveTo(tether.lamp.x, top - tether.lamp.y);
      context.lineTo(moth.x, top - moth.y);
      context.stroke();
      context.globalAlpha = 1;
    }
    // Before the first press the moth flutters on the spot.
    const hover = run.time_s === 0 ? Math.sin(this.#time_s * 2.2) * 7 : 0;
    drawMoth(context, {
      x: moth.x,
      y: top - moth.y + hover,
      heading: Math.atan2(-moth.vy, moth.vx),
      flap: this.#time_s * (tether ? 17 : moth.vy > 0 ? 22 : 9),
      dazed: run.dazed_s > 0,
      misprint,
    });
  }
}
