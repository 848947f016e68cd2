import { WORLD_WIDTH } from '../world/units.ts';
import { CORAL, PAPER, YELLOW } from './inks.ts';

/** The distance between neighbouring dots, in units of the game's world. */
const PITCH = 8;
/** The resolution of the tiles, in pixels per unit. */
export const TILE_SHARPNESS = 2;

export const DAWN_GLOW_HEIGHT = 200;
export const SKY_TILE_HEIGHT = 480;
const GLOW_RADIUS = 70;

/** Images of dots, as in a halftone print. Each image is drawn only once. */
export interface HalftoneTiles {
  /** The glow above the dawn: coral dots that grow downwards until they meet. */
  dawn: HTMLCanvasElement;
  /** Faint dark dots in the sky; the tile is repeated upwards. */
  sky: HTMLCanvasElement;
  /** Light around a lamp that is lit. */
  glow: HTMLCanvasElement;
  glow_radius: number;
}

export function drawHalftoneTiles(): HalftoneTiles {
  return {
    dawn: drawTile(WORLD_WIDTH, DAWN_GLOW_HEIGHT, CORAL, (_x, y) => (y / DAWN_GLOW_HEIGHT) ** 1.6),
    sky: drawTile(WORLD_WIDTH, SKY_TILE_HEIGHT, 'rgb(8 6 40 / 0.28)', (_x, y) => {
      return 0.38 + 0.3 * Math.sin((y / SKY_TILE_HEIGHT) * 2 * Math.PI);
    }),
    glow: drawGlow(),
    glow_radius: GLOW_RADIUS,
  };
}

/** Draws dots on a grid that is turned by 45 degrees; at a `strength` of 1, neighbouring dots touch. */
function drawTile(
  width: number,
  height: number,
  color: string,
  strength: (x: number, y: number) => number,
): HTMLCanvasElement {
  const { canvas, context } = makeCanvas(width, height);
  context.fillStyle = color;
  for (let row = 0; row * (PITCH / 2) <= height; row++) {
    const y = row * (PITCH / 2);
    for (let x = row % 2 === 0 ? 0 : PITCH / 2; x <= width; x += PITCH) {
      drawDot(context, x, y, strength(x, y) * PITCH * 0.52);
    }
  }
  return canvas;
}

function drawGlow(): HTMLCanvasElement {
  const size = GLOW_RADIUS * 2;
  const { canvas, context } = makeCanvas(size, size);
  const middle = GLOW_RADIUS;
  context.fillStyle = YELLOW;
  const pitch = 6;
  for (let row = 0; row * (pitch / 2) <= size; row++) {
    const y = row * (pitch / 2);
    for (let x = row % 2 === 0 ? 0 : pitch / 2; x <= size; x += pitch) {
      const share = 1 - Math.hypot(x - middle, y - middle) / GLOW_RADIUS;
      drawDot(context, x, y, Math.max(0, share) ** 0.8 * pitch * 0.5);
    }
  }
  return canvas;
}

function drawDot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  if (radius < 0.35) return;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function makeCanvas(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = width * TILE_SHARPNESS;
  canvas.height = height * TILE_SHARPNESS;
  const context = canvas.getContext('2d')!;
  context.scale(TILE_SHARPNESS, TILE_SHARPNESS);
  return { canvas, context };
}

/** Draws fibres and missed spots of the paper, which lie over everything. */
export function drawGrain(random: () => number): HTMLCanvasElement {
  const { canvas, context } = makeCanvas(160, 160);
  context.fillStyle = PAPER;
  for (let index = 0; index < 420; index++) {
    context.globalAlpha = 0.03 + random() * 0.11;
    const size = 0.2 + random() * 0.5;
    context.fillRect(random() * 160, random() * 160, size * (1 + random() * 2), size);
  }
  return canvas;
}
