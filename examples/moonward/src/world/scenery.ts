import { WORLD_WIDTH } from './units.ts';

export interface Lamp {
  /** The lamp's place in the order from the ground up. */
  number: number;
  /** The place where the lamp hangs without wind; the wind swings it to both sides. */
  home_x: number;
  x: number;
  y: number;
  lit: boolean;
  /** The time for which the moth has circled this lamp, in seconds. */
  burnt_s: number;
  out: boolean;
}

interface Pollen {
  x: number;
  y: number;
  taken: boolean;
}

/** A bat flies from side to side at one height, and knocks the moth down. */
interface Bat {
  y: number;
  center_x: number;
  reach: number;
  phase: number;
  x: number;
}

export interface Scenery {
  lamps: Lamp[];
  pollen: Pollen[];
  bats: Bat[];
}

const FIRST_LAMP_Y = 150;
const SIDE_MARGIN = 62;
/** The height up to which the distance between lamps grows. */
const SPARSEST_AT = 7_000;
const FIRST_BAT_Y = 1_500;

/** Adds lamps, pollen and bats up to the height `up_to`. */
export function growScenery(scenery: Scenery, up_to: number, random: () => number): void {
  const { lamps } = scenery;
  while ((lamps.at(-1)?.y ?? 0) < up_to) {
    const previous = lamps.at(-1);
    const lamp = previous ? hangNext(previous, random) : hang(0, WORLD_WIDTH * 0.62, FIRST_LAMP_Y);
    lamps.push(lamp);
    if (previous) fillGap(scenery, previous, lamp, random);
  }
}

function hangNext(previous: Lamp, random: () => number): Lamp {
  const height = Math.min(previous.y / SPARSEST_AT, 1);
  const rise = (88 + 44 * height) * (0.8 + 0.4 * random());
  const span = WORLD_WIDTH - 2 * SIDE_MARGIN;
  // The next lamp is mostly on the other side, but always within reach of a moth that circles this one.
  const drawn = SIDE_MARGIN + span * random();
  const farthest = 185;
  const x = clamp(drawn, previous.home_x - farthest, previous.home_x + farthest);
  const apart = Math.abs(x - previous.home_x) < 60 ? x + (x < WORLD_WIDTH / 2 ? 70 : -70) : x;
  return hang(
    previous.number + 1,
    clamp(apart, SIDE_MARGIN, WORLD_WIDTH - SIDE_MARGIN),
    previous.y + rise,
  );
}

const hang = (number: number, x: number, y: number): Lamp => ({
  number,
  home_x: x,
  x,
  y,
  lit: false,
  burnt_s: 0,
  out: false,
});

function fillGap({ pollen, bats }: Scenery, from: Lamp, to: Lamp, random: () => number): void {
  const kind = random();
  if (kind < 0.6) {
    // A row of pollen between the two lamps, curved to the side.
    const bow = (random() - 0.5) * 90;
    const count = 3 + Math.floor(random() * 3);
    for (let index = 1; index <= count; index++) {
      const share = index / (count + 1);
      const x = from.home_x + (to.home_x - from.home_x) * share;
      const y = from.y + (to.y - from.y) * share;
      pollen.push({ x: inside(x + Math.sin(share * Math.PI) * bow), y, taken: false });
    }
  } else if (kind < 0.78) {
    for (let index = 0; index < 6; index++) {
      const angle = (index / 6) * 2 * Math.PI;
      const x = inside(to.home_x + Math.cos(angle) * 62);
      pollen.push({ x, y: to.y + Math.sin(angle) * 62, taken: false });
    }
  }
  const danger = Math.min((to.y - FIRST_BAT_Y) / 9_000, 0.45);
  if (to.y > FIRST_BAT_Y && random() < 0.12 + danger) {
    bats.push({
      y: (from.y + to.y) / 2,
      center_x: WORLD_WIDTH * (0.35 + 0.3 * random()),
      reach: 70 + 70 * random(),
      phase: random() * 2 * Math.PI,
      x: WORLD_WIDTH / 2,
    });
  }
}

const inside = (x: number) => clamp(x, 24, WORLD_WIDTH - 24);

const clamp = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), most);

/** Removes the scenery that the dawn has passed. */
export function dropBelow(scenery: Scenery, y: number): void {
  const isAbove = (thing: { y: number }) => thing.y > y;
  if (!isAbove(scenery.lamps[0] ?? { y })) scenery.lamps = scenery.lamps.filter(isAbove);
  if (scenery.pollen.some((one) => one.taken || !isAbove(one))) {
    scenery.pollen = scenery.pollen.filter((one) => !one.taken && isAbove(one));
  }
  if (!scenery.bats.every(isAbove)) scenery.bats = scenery.bats.filter(isAbove);
}
