import type { Lamp } from './scenery.ts';
import { STEP_S, WORLD_WIDTH } from './units.ts';

export interface Moth {
  x: number;
  y: number;
  vx: number;
  vy: number;
}

/** The moth's hold on a lamp. */
export interface Tether {
  lamp: Lamp;
  /** The distance between moth and lamp; it shrinks or grows to `ORBIT`. */
  length: number;
  /** 1 if the moth circles counterclockwise, and -1 if it circles clockwise. */
  turn: 1 | -1;
}

const ORBIT = 60;
const REEL_SPEED = 130;
const TURN_RATE = 11;
const ACCELERATION = 420;
/** The acceleration of a fall, in units/s². */
export const GRAVITY = 205;
/** The highest speed of a fall, in units/s. It is low, because a moth is light. */
const FALL_SPEED = 330;
const SIDE = 15;

/** Returns the speed of the moth around a lamp, in units/s. The higher the moth, the faster it circles. */
export const cruiseSpeed = (top_y: number): number => 265 + 85 * Math.min(top_y / 7_000, 1);

/**
 * Moves the moth around the lamp. The velocity turns towards the tangent of the circle. It also turns inwards
 * or outwards, until the moth's distance from the lamp equals the length of the tether.
 */
export function circle(moth: Moth, tether: Tether, top_y: number): void {
  const { lamp, turn } = tether;
  const reel = REEL_SPEED * STEP_S;
  tether.length += Math.min(Math.max(ORBIT - tether.length, -reel), reel);
  const [x, y] = [moth.x - lamp.x, moth.y - lamp.y];
  const distance = Math.hypot(x, y) || 1;
  const [out_x, out_y] = [x / distance, y / distance];
  const pull = Math.min(Math.max((tether.length - distance) / 26, -1), 1);
  const wanted = Math.atan2(out_x * turn + out_y * pull, -out_y * turn + out_x * pull);

  const heading = Math.atan2(moth.vy, moth.vx);
  const most = TURN_RATE * STEP_S;
  const turned = heading + Math.min(Math.max(shortestTurn(heading, wanted), -most), most);
  const speed = Math.hypot(moth.vx, moth.vy);
  const change = ACCELERATION * STEP_S;
  const next = speed + Math.min(Math.max(cruiseSpeed(top_y) - speed, -change), change);
  moth.vx = Math.cos(turned) * next;
  moth.vy = Math.sin(turned) * next;
  moth.x = Math.min(Math.max(moth.x + moth.vx * STEP_S, SIDE), WORLD_WIDTH - SIDE);
  moth.y += moth.vy * STEP_S;
}

/**
 * Moves the moth in free flight: on a falling arc, pushed by the wind. Returns whether it hit a side of
 * the world.
 */
export function fly(moth: Moth, wind: number): boolean {
  moth.vx += wind * STEP_S;
  moth.vy = Math.max(moth.vy - GRAVITY * STEP_S, -FALL_SPEED);
  moth.x += moth.vx * STEP_S;
  moth.y += moth.vy * STEP_S;
  if (moth.x >= SIDE && moth.x <= WORLD_WIDTH - SIDE) return false;
  moth.x = Math.min(Math.max(moth.x, SIDE), WORLD_WIDTH - SIDE);
  moth.vx *= -0.75;
  return true;
}

function shortestTurn(from: number, to: number): number {
  const turn = (to - from) % (2 * Math.PI);
  if (turn > Math.PI) return turn - 2 * Math.PI;
  return turn < -Math.PI ? turn + 2 * Math.PI : turn;
}
