import { GRAVITY } from '../src/world/flight.ts';
import { reachOf } from '../src/world/run.ts';
import type { Run, RunEvent } from '../src/world/run.ts';
import { findTarget, stepRun } from '../src/world/step.ts';

/**
 * Tells whether the bot holds the button now, as a skilled player would: it catches unlit lamps, and lets go
 * of a lamp when the flight ahead comes near an unlit lamp higher up.
 */
export function botHolds(run: Run): boolean {
  const { moth, tether } = run;
  if (tether === null) {
    const target = findTarget(run);
    if (target === null) return false;
    if (!target.lit) return true;
    // During a fall, even a lit lamp is better than the dawn.
    return moth.vy < -60 || (run.was_held && run.press_is_fresh);
  }
  if (tether.lamp.burnt_s > 2) return !(moth.vy > 40);
  const near = reachOf(run) * 0.55;
  for (let t = 0.1; t < 1.3; t += 0.08) {
    const x = moth.x + moth.vx * t;
    const y = moth.y + moth.vy * t - (GRAVITY / 2) * t * t;
    if (x < 25 || x > 375) break;
    const good = run.scenery.lamps.some(
      (lamp) =>
        !lamp.lit && lamp.y > tether.lamp.y + 20 && Math.hypot(lamp.x - x, lamp.y - y) < near,
    );
    if (good && moth.vy > 120) return false;
  }
  return true;
}

/** Plays a night to its end, or until the given number of seconds has passed. */
export function playNight(
  run: Run,
  seconds = 600,
  holds: (run: Run) => boolean = botHolds,
): RunEvent[] {
  const events: RunEvent[] = [];
  let held = false;
  for (let step = 0; !run.over && run.time_s < seconds; step++) {
    // The bot decides only at each eighth step, because no player decides 120 times a second.
    if (step % 8 === 0) held = holds(run);
    events.push(...stepRun(run, held));
  }
  return events;
}
