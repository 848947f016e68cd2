import type { Environment } from '@overworld/contract/common';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import {
  ACHIEVEMENTS,
  COUNTRIES,
  currencyIn,
  ITEMS,
  PLATFORMS,
  playerName,
  RELEASES,
} from './world.ts';

const DAY_MS = 86_400_000;
/** The shortest pause between two sessions of a player. */
const PAUSE_MS = 600_000;
/** One in a hundred players is a tester of the studio. */
const TESTER_SHARE = 0.01;
/** The hours of a day (UTC), each with a weight for the number of sessions that start in it. */
const HOURS = [
  3, 2, 1.2, 0.7, 0.5, 0.5, 0.8, 1.5, 2.2, 2.6, 3, 3.4, 4, 3.8, 3.6, 4, 5, 6.5, 8, 9.5, 10, 9, 7, 5,
].map((weight, hour) => [hour, weight] as const);

interface SimulatedEvent {
  event_name: string;
  at: number;
  properties: Record<string, unknown>;
}

interface SimulatedSession {
  session_id: string;
  events: SimulatedEvent[];
}

/** A save, as the game sends it. */
export interface SimulatedSave {
  version: number;
  app_version: string;
  at: number;
  data: Record<string, unknown> & { position: { island: number; x: number; y: number } };
}

/** The past of one player. Times are milliseconds since 1970. */
export interface SimulatedPlayer {
  player_id: string;
  name: string;
  environment: Environment;
  properties: Record<string, unknown>;
  tags: string[];
  sessions: SimulatedSession[];
  /** The time of each unlock, by the key of the achievement. */
  unlocks: Map<string, number>;
  saves: SimulatedSave[];
  /** The levels that the player has completed, by time. */
  runs: SimulatedRun[];
}

/** A completed level. */
export interface SimulatedRun {
  at: number;
  level: number;
  seconds: number;
  score: number;
}

export interface SimulationSettings {
  seed: number;
  players: number;
  days: number;
  /** The end of the simulation. */
  until: number;
}

/**
 * Simulates the past of one player. The player arrives on a day (later days have more arrivals), comes
 * back with realistic odds (higher at weekends), plays levels and sometimes buys. The same settings and
 * number always give the same player.
 */
export function simulatePlayer(settings: SimulationSettings, number: number): SimulatedPlayer {
  const random = createRandom(settings.seed * 1_000_003 + number);
  const arrival = settings.days * Math.sqrt(random.next()) * 0.999;
  const last_day = Math.floor(settings.until / DAY_MS);
  const drawStart = (day: number) =>
    day * DAY_MS + random.pickWeighted(HOURS) * 3_600_000 + random.integer(0, 3_599_000);
  let first_start = drawStart(last_day - Math.floor(settings.days - arrival));
  // Players who would arrive later today arrive on any of the days before.
  if (first_start >= settings.until) {
    first_start -= DAY_MS * random.integer(1, Math.max(1, settings.days - 1));
  }
  const first_day = Math.floor(first_start / DAY_MS);
  const player: SimulatedPlayer = {
    player_id: `player-${String(number + 1).padStart(5, '0')}`,
    name: playerName(number * 7 + settings.seed),
    environment: random.chance(TESTER_SHARE) ? 'development' : 'production',
    properties: {},
    tags: [],
    sessions: [],
    unlocks: new Map(),
    saves: [],
    runs: [],
  };
  const state = {
    level: 1,
    coins: 100,
    spent: 0,
    days_played: 0,
    country: random.pickWeighted(COUNTRIES),
    platform: random.pickWeighted(PLATFORMS),
    loyalty: 0.25 + random.next() ** 2 * 0.75,
    update_lag_ms: random.longTail(1.5) * DAY_MS,
    release: 0,
  };
  for (let day = first_day; day <= last_day; day++) {
    const odds = day === first_day ? 1 : returnOdds(day - first_day, day, state.loyalty);
    if (!random.chance(odds)) continue;
    state.days_played += 1;
    const sessions = 1 + Math.floor(random.longTail(0.7));
    const starts = Array.from({ length: sessions }, () => drawStart(day));
    if (day === first_day) starts[0] = first_start;
    for (const start of starts.sort((a, b) => a - b)) {
      if (start >= settings.until) break;
      const { at: last_at = -Infinity } = player.sessions.at(-1)?.events.at(-1) ?? {};
      // The last session may still run then.
      if (start < last_at + PAUSE_MS) continue;
      playSession(player, state, random, start, settings);
    }
  }
  player.properties = {
    name: player.name,
    country: state.country,
    platform: state.platform,
    first_version: player.sessions[0]?.events[0]?.properties.app_version,
    level: state.level,
    coins: state.coins,
    total_spent: Math.round(state.spent * 100) / 100,
  };
  if (state.spent > 0) player.tags.push('payer');
  if (state.spent > 30) player.tags.push('vip');
  if (state.days_played >= 7) player.tags.push('regular');
  return player;
}

/**
 * Returns the odds that a player plays on a day. They fall with the days
 * since the arrival: to about 40 % on day 1, 15 % on day 7 and 6 % on day 30.
 */
function returnOdds(days_since: number, day: number, loyalty: number): number {
  // Day 0 of 1970 was a Thursday.
  const weekend = (day + 4) % 7 === 0 || (day + 4) % 7 === 6 ? 1.25 : 1;
  return Math.min(0.95, 0.85 * loyalty * weekend * days_since ** -0.55);
}

interface PlayState {
  level: number;
  coins: number;
  spent: number;
  days_played: number;
  country: string;
  platform: string;
  /** A factor for the odds that the player comes back. */
  loyalty: number;
  /** The time from a release until the player's game is updated. */
  update_lag_ms: number;
  /** The place of the player's release in `RELEASES`. */
  release: number;
}

/**
 * Updates the player's game to the newest release, if the player has had time to. A new player installs the
 * newest one. Nobody goes back to an older release.
 */
function updateGame(now: number, state: PlayState, isFirst: boolean, settings: SimulationSettings) {
  const { until, days } = settings;
  const lag_ms = isFirst ? 0 : state.update_lag_ms;
  const out = RELEASES.filter(({ days_left }) => until - days * days_left * DAY_MS + lag_ms <= now);
  state.release = Math.max(state.release, out.length - 1);
  return RELEASES[state.release]!;
}

/** The state of the game, as the game saves it. */
export const saveData = (level: number, coins: number): SimulatedSave['data'] => ({
  level,
  coins,
  inventory: ITEMS.slice(0, 1 + (level % 4)).map(([name]) => name),
  position: { island: Math.ceil(level / 10), x: level * 12, y: 80 - level },
});

function playSession(
  player: SimulatedPlayer,
  state: PlayState,
  random: Random,
  start: number,
  settings: SimulationSettings,
): void {
  const { until } = settings;
  const session_id = `${start.toString(36)}${random.integer(0, 1e6).toString(36)}`;
  const events: SimulatedEvent[] = [];
  let now = start;
  const emit = (event_name: string, properties: Record<string, unknown>) => {
    if (now <= until) events.push({ event_name, at: now, properties });
  };
  const unlock = (key: string) => {
    if (player.unlocks.has(key) || now > until) return;
    player.unlocks.set(key, now);
    emit('achievement_unlocked', { key });
  };
  const isFirst = player.sessions.length === 0;
  const { version: app_version, crashes } = updateGame(start, state, isFirst, settings);
  let has_crashed = false;
  const who = { platform: state.platform, country: state.country };
  emit('session_start', { ...who, app_version });
  let goes_on = true;
  if (isFirst) {
    emit('tutorial_start', who);
    now += Math.round((20 + random.longTail(50)) * 1000);
    goes_on = random.chance(state.platform === 'android' ? 0.72 : 0.84);
    if (goes_on) emit('tutorial_complete', { ...who, seconds: Math.round((now - start) / 1000) });
    // Players who leave during the tutorial seldom come back.
    else state.loyalty *= 0.6;
  }
  // Some players only look around.
  const levels = goes_on && random.chance(0.88) ? 1 + Math.floor(random.longTail(3)) : 0;
  for (let index = 0; index < levels; index++) {
    emit('level_start', { level: state.level });
    const seconds = Math.round(30 + random.longTail(90));
    now += seconds * 1000;
    if (crashes && random.chance(0.15)) {
      emit('crash', { ...who, app_version, level: state.level });
      has_crashed = true;
      // A player who loses a level to a crash comes back less often.
      state.loyalty *= 0.8;
      break;
    }
    if (random.chance(0.3 + state.level / 120)) {
      emit('level_fail', { level: state.level, seconds });
      continue;
    }
    const stars = random.integer(1, 3);
    const score = Math.round(1000 * stars + random.longTail(800) * (1 + state.level / 10));
    emit('level_complete', { level: state.level, seconds, stars, score });
    if (now <= until) player.runs.push({ at: now, level: state.level, seconds, score });
    state.level = Math.min(50, state.level + 1);
    state.coins += 10 * stars;
    if (stars === 3) unlock('flawless');
    for (const { key, level } of ACHIEVEMENTS) {
      if (level !== null && state.level >= level) unlock(key);
    }
  }
  if (levels > 0 && !has_crashed && random.chance(0.3)) {
    emit('shop_opened', { ...who, level: state.level });
    now += Math.round(random.longTail(30) * 1000);
    if (random.chance(state.spent > 0 ? 0.3 : 0.15)) {
      const [item, price] = random.pickWeighted(ITEMS.map((entry) => [entry, entry[2]] as const));
      if (now <= until) state.spent += price;
      emit('purchase', { item, price, currency: currencyIn(state.country), ...who });
      unlock('patron');
    }
  }
  if (state.days_played >= 7) unlock('regular');
  if ([2, 3].includes(new Date(start).getUTCHours())) unlock('night_watch');
  if (!has_crashed) emit('session_end', { seconds: Math.round((now - start) / 1000) });
  player.sessions.push({ session_id, events });
  player.saves.push({
    version: player.saves.length + 1,
    app_version,
    at: Math.min(now, until),
    data: saveData(state.level, state.coins),
  });
}
