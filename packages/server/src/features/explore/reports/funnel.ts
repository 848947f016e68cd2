import type { getFunnel } from '@overworld/contract/analytics/funnel';
import type { SuccessOf } from '@overworld/contract/operation';
import { groupBy, percentiles } from '../scan/columns.ts';
import type { EventChoice, EventSelection } from '../scan/event-selection.ts';
import type { PlayerChoice } from '../scan/player-choice.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { readFunnelEvents } from './funnel-events.ts';
import type { FunnelEvents } from './funnel-events.ts';
import { createFunnelWalk } from './funnel-walk.ts';

export interface FunnelInput extends EventSelection {
  steps: readonly EventChoice[];
  window_minutes: number;
  /** Property of the events of the first step; its values make the groups. */
  breakdown: string | null;
  /** The players who count; null for all. */
  choice: PlayerChoice | null;
  /** The most groups with a value of their own. */
  limit: number;
}

export type FunnelReport = Pick<SuccessOf<typeof getFunnel>, 'steps' | 'groups'>;
export type FunnelStep = FunnelReport['steps'][number];

const MINUTE_US = 60_000_000;

/** Counts how far players get. The contract and `funnel-walk.ts` have the definition. */
export async function makeFunnel(
  database: ExploreDatabase,
  input: FunnelInput,
  signal: AbortSignal,
): Promise<FunnelReport> {
  const { steps, limit } = input;
  const names = steps.map(({ event_name }) => event_name);
  const events = await readFunnelEvents(database, input, signal);
  const attempts = findAttempts(events, names, input.window_minutes * MINUTE_US);

  const everybody = new Uint32Array(attempts.count);
  const [all] = countSteps(attempts, everybody, 1, names);
  const { groups } = events;
  if (groups === null) return { steps: all!, groups: [] };
  const sizes = new Uint32Array(groups.count());
  for (let index = 0; index < attempts.count; index++) sizes[attempts.groups[index]!]!++;
  const { labels, label_of } = await groups.choose(sizes, limit, signal);
  const label_of_attempt = attempts.groups.map((group) => label_of[group]!);
  const parts = countSteps(attempts, label_of_attempt, labels.length + 1, names);
  return {
    steps: all!,
    groups: labels.map((label, index) => ({ ...label, steps: parts[index]! })),
  };
}

/** The attempts that count, one for each player who began. */
interface Attempts {
  count: number;
  depths: Uint8Array;
  /** Times from each step to the next in microseconds, one fewer than steps for each attempt. */
  gaps: Float64Array;
  /** Number of the value of the event that began the attempt. */
  groups: Uint32Array;
}

function findAttempts(events: FunnelEvents, names: readonly string[], window: number): Attempts {
  const { player_count, group_numbers, ids } = events;
  const step_count = names.length;
  const walk = createFunnelWalk({ event_names: names, window });
  const { order, starts } = groupBy(events.players, player_count);
  // When several events can begin an attempt, the earlier one counts or, at equal times, the one
  // that was sent first.
  if (events.groups !== null) {
    for (let player = 0; player < player_count; player++) {
      order
        .subarray(starts[player], starts[player + 1])
        .sort((a, b) => events.times[a]! - events.times[b]! || ids[a]! - ids[b]!);
    }
  }
  // The loop below reads them one after the other; in scattered memory the processor would wait for
  // each.
  const times = new Float64Array(order.length);
  const masks = new Uint8Array(order.length);
  for (let place = 0; place < order.length; place++) {
    times[place] = events.times[order[place]!]!;
    masks[place] = events.masks[order[place]!]!;
  }
  const depths = new Uint8Array(player_count);
  const gaps = new Float64Array(player_count * (step_count - 1));
  const groups = new Uint32Array(events.groups === null ? 0 : player_count);
  let count = 0;
  let room = new Float64Array(1_024);

  for (let player = 0; player < player_count; player++) {
    const [first, end] = [starts[player]!, starts[player + 1]!];
    const needed = (end - first) * step_count;
    if (room.length < needed) room = new Float64Array(needed * 2);
    const matching: Float64Array[] = [];
    let to = 0;
    for (let step = 0; step < step_count; step++) {
      const from = to;
      for (let place = first; place < end; place++) {
        if ((masks[place]! >>> step) & 1) room[to++] = times[place]!;
      }
      if (to === from && step === 0) break;
      matching.push(sort(room.subarray(from, to)));
    }
    if (matching.length === 0) continue;
    const attempt = walk(matching);
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
  return { count, depths, gaps, groups: groups.subarray(0, count) };
}

const SHORT = 48;

/** Sorts in place. For few times that are nearly in order, the sort of the engine takes longer. */
function sort(times: Float64Array): Float64Array {
  if (times.length > SHORT) return times.sort();
  for (let place = 1; place < times.length; place++) {
    const time = times[place]!;
    let to = place;
    for (; to > 0 && times[to - 1]! > time; to--) times[to] = times[to - 1]!;
    times[to] = time;
  }
  return times;
}

/** The steps of each group: the number of players, and their times. */
function countSteps(
  { count, depths, gaps }: Attempts,
  group_of: Uint32Array,
  group_count: number,
  names: readonly string[],
): FunnelStep[][] {
  const { order, starts } = groupBy(group_of.subarray(0, count), group_count);
  return Array.from({ length: group_count }, (_, group) => {
    const members = order.subarray(starts[group], starts[group + 1]);
    const reached = names.map((_name, step) => members.filter((at) => depths[at]! > step));
    return names.map((event_name, step): FunnelStep => {
      const here = reached[step]!;
      const before = reached[step - 1];
      const seconds = (before === undefined ? new Uint32Array() : here).length;
      const durations = new Float64Array(seconds);
      for (let index = 0; index < seconds; index++) {
        durations[index] = gaps[here[index]! * (names.length - 1) + step - 1]! / 1e6;
      }
      const [p25, median, p75] = percentiles(durations, [0.25, 0.5, 0.75]);
      return {
        event_name,
        players: here.length,
        share_of_first: divide(here.length, members.length),
        share_of_previous: before === undefined ? null : divide(here.length, before.length),
        median_seconds: median!,
        p25_seconds: p25!,
        p75_seconds: p75!,
      };
    });
  });
}

const divide = (part: number, whole: number) => (whole === 0 ? null : part / whole);
