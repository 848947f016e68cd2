import { createRandom } from '../world/random.ts';
import { WORLD_WIDTH } from '../world/units.ts';
import { DAWN_GLOW_HEIGHT, SKY_TILE_HEIGHT } from './halftone.ts';
import type { HalftoneTiles } from './halftone.ts';
import { CORAL, PAPER, toCss, YELLOW } from './inks.ts';
import type { Rgb } from './inks.ts';

type Context = CanvasRenderingContext2D;

interface Sight {
  /** The upper edge and the height of the visible part of the world, in units. */
  top: number;
  view_height: number;
  misprint: number;
  ink: Rgb;
}

const random = createRandom(7);
const STAR_PERIOD = 900;
const STARS = Array.from({ length: 60 }, () => ({
  x: random() * WORLD_WIDTH,
  y: random() * STAR_PERIOD,
  size: 0.6 + random() ** 3 * 2.2,
}));
/** The houses of the village: left edge, width, height of the wall, height of the gable, windows. */
const ROOFS = Array.from({ length: 14 }, (_, index) => ({
  x: index * 34 - 30 + random() * 8,
  width: 38 + random() * 26,
  wall: 26 + random() * 70,
  gable: 14 + random() * 26,
  windows: Math.floor(random() * 3),
}));
const CLOUD_PERIOD = 620;
const CLOUDS = Array.from({ length: 3 }, (_, index) => ({
  x: random() * WORLD_WIDTH,
  y: index * 200 + random() * 90,
  width: 90 + random() * 90,
}));
/** The height above which clouds appear, in units. */
const CLOUD_BASE = 2_200;

export function drawSky(context: Context, sight: Sight, tiles: HalftoneTiles): void {
  const { top, view_height, ink } = sight;
  context.fillStyle = toCss(ink);
  context.fillRect(-20, -20, WORLD_WIDTH + 40, view_height + 40);
  const drift = repeat(top * 0.35, SKY_TILE_HEIGHT);
  for (let y = drift - SKY_TILE_HEIGHT; y < view_height; y += SKY_TILE_HEIGHT) {
    context.drawImage(tiles.sky, -10, y, WORLD_WIDTH + 20, SKY_TILE_HEIGHT);
  }
  context.fillStyle = PAPER;
  for (const star of STARS) {
    const y = repeat(top * 0.25 + star.y, STAR_PERIOD);
    if (y < view_height) context.fillRect(star.x, y, star.size, star.size);
  }
  drawMoon(context, sight);
}

/** Draws the moon, which grows with the height of the moth. */
function drawMoon(context: Context, { top, view_height, misprint, ink }: Sight): void {
  const climbed = Math.max(0, top - view_height);
  const radius = 34 + Math.min(climbed / 80, 120);
  const [x, y] = [WORLD_WIDTH * 0.74, view_height * 0.2];
  const disc = (dx: number, dy: number, size: number, color: string) => {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x + dx, y + dy, size, 0, 2 * Math.PI);
    context.fill();
  };
  disc(misprint, misprint, radius, CORAL);
  disc(0, 0, radius, PAPER);
  context.globalAlpha = 0.16;
  const shade = toCss(ink);
  disc(-radius * 0.35, -radius * 0.2, radius * 0.22, shade);
  disc(radius * 0.3, radius * 0.3, radius * 0.3, shade);
  disc(radius * 0.25, -radius * 0.45, radius * 0.12, shade);
  disc(-radius * 0.3, radius * 0.5, radius * 0.15, shade);
  context.globalAlpha = 1;
}

/** Draws the village on the ground, and clouds higher up. */
export function drawLand(context: Context, sight: Sight): void {
  const { top, view_height } = sight;
  const ground = top + 70;
  if (ground - 170 < view_height) drawVillage(context, ground, sight);
  if (top > CLOUD_BASE) drawClouds(context, sight);
}

function drawVillage(context: Context, ground: number, { ink, view_height }: Sight): void {
  for (const [layer, lift] of [70, 0].entries()) {
    context.fillStyle = toCss(ink, layer === 0 ? 0.72 : 0.45);
    for (const { x, width, wall, gable } of ROOFS) {
      const left = layer === 0 ? WORLD_WIDTH - x - width : x;
      const eaves = ground - lift - wall;
      context.beginPath();
      context.moveTo(left - 4, eaves);
      context.lineTo(left + width / 2, eaves - gable);
      context.lineTo(left + width + 4, eaves);
      context.lineTo(left + width, view_height + 30);
      context.lineTo(left, view_height + 30);
      context.fill();
    }
  }
  context.fillStyle = YELLOW;
  for (const { x, width, wall, windows } of ROOFS) {
    for (let index = 0; index < windows; index++) {
      context.fillRect(x + 8 + index * (width / 3), ground - wall + 10, 5, 8);
    }
  }
}

function drawClouds(context: Context, { top, view_height, ink }: Sight): void {
  context.globalAlpha = Math.min(1, (top - CLOUD_BASE) / 900) * 0.5;
  for (const cloud of CLOUDS) {
    const y = repeat(top * 0.6 + cloud.y, CLOUD_PERIOD + view_height) - 80;
    context.fillStyle = toCss(ink, 1.24);
    for (const [share, size] of [
      [0, 0.16],
      [0.25, 0.26],
      [0.55, 0.32],
      [0.85, 0.2],
    ] as const) {
      context.beginPath();
      context.arc(cloud.x + (share - 0.5) * cloud.width, y, size * cloud.width, Math.PI, 0);
      context.fill();
    }
  }
  context.globalAlpha = 1;
}

/** Draws the dawn: a rim of waves, and dots that reach up from the rim. */
export function drawDawn(
  context: Context,
  { top, view_height, misprint }: Sight,
  dawn_y: number,
  tiles: HalftoneTiles,
  time_s: number,
): void {
  const edge = top - dawn_y;
  if (edge - DAWN_GLOW_HEIGHT > view_height) return;
  context.drawImage(
    tiles.dawn,
    -10,
    edge - DAWN_GLOW_HEIGHT + 8,
    WORLD_WIDTH + 20,
    DAWN_GLOW_HEIGHT,
  );
  wave(context, edge, view_height, CORAL, time_s * 1.1, 5);
  wave(context, edge + 34 + misprint, view_height, YELLOW, time_s * 0.8 + 2, 7);
  wave(context, edge + 96, view_height, PAPER, time_s * 0.6 + 4, 9);
}

function wave(
  context: Context,
  edge: number,
  view_height: number,
  color: string,
  phase: number,
  swell: number,
): void {
  if (edge - swell > view_height) return;
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(-20, view_height + 30);
  for (let x = -20; x <= WORLD_WIDTH + 20; x += 10) {
    context.lineTo(x, edge + Math.sin(x * 0.028 + phase) * swell);
  }
  context.lineTo(WORLD_WIDTH + 20, view_height + 30);
  context.fill();
}

const repeat = (value: number, period: number) => ((value % period) + period) % period;
