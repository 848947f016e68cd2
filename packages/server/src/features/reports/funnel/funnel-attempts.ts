import { groupBy } from '../scan/columns.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { readFunnelEvents } from './funnel-events.ts';
import type { FunnelEvents, FunnelSteps } from './funnel-events.ts';
import { createFunnelWalk } from './funnel-walk.ts';

const MINUTE_US = 60_000_000;

/**
 * Reads how many steps players took.
 * @returns a function that takes the two halves of a player's hash and returns the number of steps.
 */
export async function readFunnelDepths(
  database: ExploreDatabase,
  input: FunnelSteps,
  signal: AbortSignal,
): Promise<(high: number, low: number) => number> {
  const events = await readFunnelEvents(database, input, { groups: null }, signal);
  const { players, depths, count } = findAttempts(events, input);
  const depth_of = new Uint8Array(events.player_count);
  for (let index = 0; index < count; index++) depth_of[players[index]!] = depths[index]!;
  return (high, low) => depth_of[events.findPlayer(high, low)] ?? 0;
}

/** The attempts that count, one for each player who began. */
export interface Attempts {
  count: number;
  /** The player of each attempt. */
  players: Uint32Array;
  depths: Uint8Array;
  /**
   * The times from each step to the next in microseconds. An attempt has one time fewer than the funnel has
   * steps.
   */
  gaps: Float64Array;
  /**
   * For each attempt, the number of the value by which the report is split, taken from the first event of the
   * attempt.
   */
  groups: Uint32Array;
}

/** For each player, finds the attempt that counts. */
export function findAttempts(
  events: FunnelEvents,
  { steps, window_minutes }: FunnelSteps,
): Attempts {
  const { player_count, group_numbers, ids } = events;
  const step_count = steps.length;
  const event_names = steps.map(({ event_name }) => event_name);
  const walk = createFunnelWalk({ event_names, window: window_minutes * MINUTE_US });
  const { order, starts } = groupBy(events.players, player_count);
  // When several events can begin an attempt, the earliest event counts. At equal times the event that was
  // sent first counts.
  if (events.groups !== null) {
    for (let player = 0; player < player_count; player++) {
      order
        .subarray(starts[player], starts[player + 1])
        .sort((a, b) => events.times[a]! - events.times[b]! || ids[a]! - ids[b]!);
    }
  }
  // These copies are in the order in which the loop below reads them. If it read from scattered memory, the
  // processor would wait for each event.
  const times = new Float64Array(order.length);
  const masks = new Uint8Array(order.length);
  for (let place = 0; place < order.length; place++) {
    times[place] = events.times[order[place]!]!;
    masks[place] = events.masks[order[place]!]!;
  }
  const players = new Uint32Array(player_count);
  const depths = new Uint8Array(player_count);
  const gaps = new Float64Array(player_count * (step_count - 1));
  const groups = new Uint32Array(events.groups === null ? 0 : player_count);
  let count = 0;
  let room = new Float64Array(1_024);
  const bounds = new Uint32Array(step_count + 1);

  for (let player = 0; player < player_count; player++) {
    const [first, end] = [starts[player]!, starts[player + 1]!];
    const needed = (end - first) * step_count;
    if (room.length < needed) room = new Float64Array(needed * 2);
    let to = 0;
    for (let step = 0; step < step_count; step++) {
      const from = to;
      for (let place = first; place < end; place++) {
        if ((masks[place]! >>> step) & 1) room[to++] = times[place]!;
      }
      if (to === 0) break;
      sort(room, from, to);
      bounds[step + 1] = to;
    }
    if (to === 0) continue;
    const attempt = walk(room, bounds);
    players[count] = player;
    depths[count] = attempt.depth;
    for (let step = 1; step < attempt.depth; step++) {
      gaps[count * (step_count - 1) + step - 1] = attempt.times[step]! - attempt.times[step - 1]!;
    }
    if (events.groups !== null) {
      let place = first;
      for (let left = attempt.start; left > 0 || (masks[place]! & 1) === 0; place++) {
        if ((masks[place]! & 1) === 1) left--;
      }
      groups[count] = group_numbers[order[place]!]!;
    }
    count++;
  }
  return { count, players, depths, gaps, groups: groups.subarray(0, count) };
}

const SHORT = 48;

/**
 * Sorts the times from one place to another. For few times that are nearly in order, the built-in `sort` takes
 * longer than this loop.
 */
function sort(times: Float64Array, from: number, end: number): void {
  if (end - from > SHORT) {
    times.subarray(from, end).sort();
    return;
  }
  for (let place = from + 1; place < end; place++) {
    const time = times[place]!;
    let to = place;
    for (; to > from && times[to - 1]! > time; to--) times[to] = times[to - 1]!;
    times[to] = time;
  }
}
