import { circle, fly } from './flight.ts';
import type { Tether } from './flight.ts';
import { LOOK_AHEAD, reachOf } from './run.ts';
import type { Run, RunEvent } from './run.ts';
import { dropBelow, growScenery } from './scenery.ts';
import type { Lamp } from './scenery.ts';
import { STEP_S } from './units.ts';
import { isSameDifficulty, WEATHER_RULES, windAt } from './weather.ts';
import type { Difficulty } from './weather.ts';

const POLLEN_RADIUS = 20;
const BAT_RADIUS = 24;
const DAZE_S = 1.1;
/**
 * The maximum distance between the dawn and the highest point that the moth has reached in this run. It is so
 * short that even the best players feel pursued.
 */
const FARTHEST_DAWN = 470;
const MAX_CHAIN_FACTOR = 10;

/** Finds the lamp that the moth would catch if the player pressed the button now. */
export function findTarget(run: Run): Lamp | null {
  const { moth, scenery, left_lamp } = run;
  let best: Lamp | null = null;
  let least = Infinity;
  for (const lamp of scenery.lamps) {
    const distance = Math.hypot(lamp.x - moth.x, lamp.y - moth.y);
    if (lamp.out || lamp.y < run.dawn_y || distance > reachOf(run)) continue;
    // Lamps that are not yet lit are preferred, and then higher lamps, because players mostly mean these.
    const cost =
      distance + (lamp === left_lamp ? 90 : lamp.lit ? 45 : 0) + Math.max(0, moth.y - lamp.y) * 0.4;
    if (cost < least) [best, least] = [lamp, cost];
  }
  return best;
}

/** Changes the difficulty. The change also applies to the current run. */
export function setDifficulty(run: Run, difficulty: Difficulty): RunEvent[] {
  if (isSameDifficulty(run.difficulty, difficulty)) return [];
  run.difficulty = difficulty;
  if (run.time_s > 0 && !run.over) run.tallies.difficulty_changes++;
  return [{ kind: 'weather', weather: difficulty.weather }];
}

/** Advances the run by `STEP_S` seconds; `held` says whether the button is held. */
export function stepRun(run: Run, held: boolean): RunEvent[] {
  if (run.over) return [];
  const events: RunEvent[] = [];
  run.time_s += STEP_S;
  run.dazed_s = Math.max(0, run.dazed_s - STEP_S);
  moveScenery(run);
  if (held && !run.was_held) run.press_is_fresh = true;
  run.was_held = held;
  const canCatch = run.press_is_fresh && run.dazed_s < DAZE_S * 0.6;
  if (held && !run.tether && canCatch) tryCatch(run, events);
  if (!held && run.tether) letGo(run, events);

  if (run.tether) {
    circle(run.moth, run.tether, run.top_y);
    burn(run, run.tether, events);
  } else {
    const wind = WEATHER_RULES[run.difficulty.weather].wind * windAt(run.time_s);
    if (fly(run.moth, wind)) {
      events.push({ kind: 'bump', x: run.moth.x, y: run.moth.y, chain: run.tallies.chain });
      run.tallies.chain = 0;
    }
  }
  run.top_y = Math.max(run.top_y, run.moth.y);
  gatherPollen(run, events);
  meetBats(run, events);
  raiseDawn(run, events);
  growScenery(run.scenery, run.top_y + LOOK_AHEAD, run.random);
  dropBelow(run.scenery, run.dawn_y - 200);
  return events;
}

function moveScenery({ scenery, difficulty, time_s }: Run): void {
  const { sway } = WEATHER_RULES[difficulty.weather];
  for (const lamp of scenery.lamps) {
    const swung = lamp.home_x + Math.sin(time_s * 1.3 + lamp.number * 1.9) * sway;
    // The lamp moves smoothly, even when the weather changes.
    lamp.x += (swung - lamp.x) * 0.03;
  }
  for (const bat of scenery.bats) {
    bat.x = bat.center_x + Math.sin(time_s * 1.5 + bat.phase) * bat.reach;
  }
}

function tryCatch(run: Run, events: RunEvent[]): void {
  const lamp = findTarget(run);
  if (lamp === null) return;
  const { moth, tallies } = run;
  const [x, y] = [moth.x - lamp.x, moth.y - lamp.y];
  const turn = x * moth.vy - y * moth.vx >= 0 ? 1 : -1;
  run.tether = { lamp, length: Math.hypot(x, y), turn };
  events.push({ kind: 'catch', lamp });
  if (lamp.lit) {
    tallies.chain = 0;
    return;
  }
  lamp.lit = true;
  const leapt = run.last_lit ? Math.max(0, lamp.number - run.last_lit.number - 1) : 0;
  run.last_lit = lamp;
  tallies.lamps++;
  tallies.chain++;
  tallies.best_chain = Math.max(tallies.best_chain, tallies.chain);
  tallies.best_leap = Math.max(tallies.best_leap, leapt);
  const points = 10 * Math.min(tallies.chain, MAX_CHAIN_FACTOR) + (leapt >= 2 ? 25 * leapt : 0);
  tallies.bonus += points;
  events.push({ kind: 'light', lamp, chain: tallies.chain, points, leapt });
}

function letGo(run: Run, events: RunEvent[]): void {
  run.left_lamp = run.tether!.lamp;
  run.tether = null;
  events.push({ kind: 'release' });
}

function burn(run: Run, { lamp }: Tether, events: RunEvent[]): void {
  lamp.burnt_s += STEP_S;
  if (lamp.burnt_s < WEATHER_RULES[run.difficulty.weather].lamp_burn_s) return;
  lamp.out = true;
  run.left_lamp = lamp;
  run.tether = null;
  run.press_is_fresh = false;
  run.tallies.chain = 0;
  run.tallies.burn_outs++;
  events.push({ kind: 'burn_out', lamp });
}

function gatherPollen(run: Run, events: RunEvent[]): void {
  const { moth, upgrades, tallies } = run;
  const pull = 34 * upgrades.scent;
  for (const one of run.scenery.pollen) {
    const [x, y] = [moth.x - one.x, moth.y - one.y];
    const distance = Math.hypot(x, y);
    if (distance < POLLEN_RADIUS) {
      one.taken = true;
      tallies.pollen++;
      tallies.bonus += 2;
      events.push({ kind: 'pollen', x: one.x, y: one.y });
    } else if (distance < POLLEN_RADIUS + pull) {
      one.x += (x / distance) * 320 * STEP_S;
      one.y += (y / distance) * 320 * STEP_S;
    }
  }
}

function meetBats(run: Run, events: RunEvent[]): void {
  const { moth } = run;
  if (run.dazed_s > 0) return;
  for (const bat of run.scenery.bats) {
    if (Math.hypot(moth.x - bat.x, moth.y - bat.y) > BAT_RADIUS) continue;
    run.tether = null;
    run.dazed_s = DAZE_S;
    run.tallies.chain = 0;
    moth.vx = moth.x < bat.x ? -150 : 150;
    moth.vy = -110;
    events.push({ kind: 'bat', x: moth.x, y: moth.y });
    return;
  }
}

function raiseDawn(run: Run, events: RunEvent[]): void {
  const speed = 30 + Math.min(run.top_y * 0.011, 75);
  run.dawn_y += speed * run.difficulty.dawn_speed * STEP_S;
  run.dawn_y = Math.max(run.dawn_y, run.top_y - FARTHEST_DAWN - 40 * run.upgrades.wings);
  if (run.moth.y > run.dawn_y) return;
  if (run.second_winds > 0) {
    run.second_winds--;
    run.dawn_y -= 150;
    run.tether = null;
    run.dazed_s = DAZE_S;
    Object.assign(run.moth, { y: run.dawn_y + 160, vx: run.moth.vx * 0.3, vy: 520 });
    events.push({ kind: 'second_wind' });
    return;
  }
  run.over = true;
  run.tether = null;
  events.push({ kind: 'over' });
}
