import { sql } from '../../../platform/database/sql.ts';
import { createDoubles, createIntegers, groupBy, percentile } from './columns.ts';
import { anyOf, makeSeed, PackedField, scanEvents } from './event-scan.ts';
import { matches } from './event-selection.ts';
import type { EventChoice, EventSelection } from './event-selection.ts';
import type { ExploreDatabase } from './explore-database.ts';
import { createFunnelWalk } from './funnel-walk.ts';
import { createGroups } from './groups.ts';
import type { GroupLabel } from './groups.ts';
import { createPlayerNumbers } from './player-numbers.ts';

export interface FunnelInput extends EventSelection {
  steps: readonly EventChoice[];
  window_minutes: number;
  /** Property of the events of the first step. */
  breakdown: string | null;
  /** Most groups with a value of their own. */
  limit: number;
  timeout_ms?: number;
}

export interface FunnelStep {
  event_name: string;
  players: number;
  share_of_first: number | null;
  share_of_previous: number | null;
  median_seconds: number | null;
  p25_seconds: number | null;
  p75_seconds: number | null;
}

export interface FunnelReport {
  steps: FunnelStep[];
  groups: (GroupLabel & { steps: FunnelStep[] })[];
}

const MINUTE_US = 60_000_000;

/** Counts how far players get: the definition is in the contract and in `funnel-walk.ts`. */
export async function makeFunnel(
  database: ExploreDatabase,
  input: FunnelInput,
  signal: AbortSignal,
): Promise<FunnelReport> {
  const { steps, limit } = input;
  const names = steps.map(({ event_name }) => event_name);
  const scanned = await scanFunnel(database, input, signal);
  const attempts = findAttempts(scanned, names, input.window_minutes * MINUTE_US);

  const everybody = new Uint32Array(attempts.count);
  const [all] = countSteps(attempts, everybody, 1, names);
  const { groups } = scanned;
  if (groups === null) return { steps: all!, groups: [] };
  const sizes = new Uint32Array(groups.count());
  for (let index = 0; index < attempts.count; index++) sizes[attempts.groups[index]!]!++;
  const { labels, label_of } = await groups.choose(sizes, limit, signal);
  const label_of_attempt = attempts.groups.map((group) => label_of[group]!);
  const parts = countSteps(attempts, label_of_attempt, labels.length, names);
  return {
    steps: all!,
    groups: labels.map((label, index) => ({ ...label, steps: parts[index]! })),
  };
}

type Scanned = Awaited<ReturnType<typeof scanFunnel>>;

/** The events that match any step, in columns. */
async function scanFunnel(database: ExploreDatabase, input: FunnelInput, signal: AbortSignal) {
  const { steps, breakdown } = input;
  const seed = makeSeed();
  const conditions = steps.map(matches);
  // A bit for each step that the event matches.
  const mask = conditions
    .map((condition, step) => sql`CASE WHEN ${condition} THEN ${2 ** step}::bigint ELSE 0 END`)
    .reduce((sum, bit) => sql`${sum} + ${bit}`);
  const groups =
    breakdown === null ? null : createGroups(database, input, steps[0]!.event_name, breakdown);
  const fields = [PackedField.time, PackedField.integer(mask)];
  if (groups !== null) fields.push(groups.field, PackedField.integer(sql`id`));

  const numbers = createPlayerNumbers();
  const players = createIntegers();
  const times = createDoubles();
  const masks = createIntegers();
  const group_numbers = createIntegers();
  const ids = createDoubles();
  const record_bytes = 8 * (1 + fields.length);
  const has_filter = steps.some(({ filter }) => filter.length > 0);
  await scanEvents(
    database,
    input,
    {
      names: [...new Set(steps.map(({ event_name }) => event_name))],
      condition: has_filter ? anyOf(conditions) : sql`true`,
      fields,
      seed,
    },
    (packet) => {
      const { view, count } = packet;
      for (let index = 0; index < count; index++) {
        const at = index * record_bytes;
        players.push(numbers.numberOf(view.getUint32(at), view.getUint32(at + 4)));
        times.push(view.getInt32(at + 8) * 2 ** 32 + view.getUint32(at + 12));
        const bits = view.getUint32(at + 20);
        masks.push(bits);
        if (groups === null) continue;
        const is_start = (bits & 1) === 1;
        // Other events have no say in which group a player is in.
        group_numbers.push(
          is_start ? groups.numberOf(view.getUint32(at + 24), view.getUint32(at + 28), packet) : 0,
        );
        ids.push(view.getInt32(at + 32) * 2 ** 32 + view.getUint32(at + 36));
      }
    },
    signal,
  );
  return {
    player_count: numbers.count,
    players: players.values(),
    times: times.values(),
    masks: masks.values(),
    groups,
    group_numbers: group_numbers.values(),
    ids: ids.values(),
  };
}

/** The attempts that count, one of each player who began. */
interface Attempts {
  count: number;
  depths: Uint8Array;
  /** Times from each step to the next, in microseconds: so many for each attempt. */
  gaps: Float64Array;
  /** Number of the value of the event that began it. */
  groups: Uint32Array;
}

function findAttempts(scanned: Scanned, event_names: readonly string[], window: number): Attempts {
  const { player_count, players, times, masks, group_numbers, ids } = scanned;
  const step_count = event_names.length;
  const walk = createFunnelWalk({ event_names, window });
  const { order, starts } = groupBy(players, player_count);
  const depths = new Uint8Array(player_count);
  const gaps = new Float64Array(player_count * (step_count - 1));
  const groups = new Uint32Array(scanned.groups === null ? 0 : player_count);
  let count = 0;
  let room = new Float64Array(1_024);

  for (let player = 0; player < player_count; player++) {
    const places = order.subarray(starts[player], starts[player + 1]);
    const needed = places.length * step_count;
    if (room.length < needed) room = new Float64Array(needed * 2);
    // Where several events begin attempts, their order decides: the earlier, or the one sent first.
    if (scanned.groups !== null) {
      places.sort((a, b) => times[a]! - times[b]! || ids[a]! - ids[b]!);
    }
    const matching: Float64Array[] = [];
    for (let step = 0; step < step_count; step++) {
      const from = step * places.length;
      let length = 0;
      for (const place of places) {
        if ((masks[place]! >>> step) & 1) room[from + length++] = times[place]!;
      }
      if (length === 0 && step === 0) break;
      matching.push(room.subarray(from, from + length).sort());
    }
    if (matching.length === 0) continue;
    const attempt = walk(matching);
    depths[count] = attempt.depth;
    for (let step = 1; step < attempt.depth; step++) {
      gaps[count * (step_count - 1) + step - 1] = attempt.times[step]! - attempt.times[step - 1]!;
    }
    if (scanned.groups !== null) {
      let start = -1;
      const place = places.find((at) => (masks[at]! & 1) === 1 && ++start === attempt.start)!;
      groups[count] = group_numbers[place]!;
    }
    count++;
  }
  return { count, depths, gaps, groups: groups.subarray(0, count) };
}

/** The steps of each group: who took them, and how long it took. */
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
      durations.sort();
      return {
        event_name,
        players: here.length,
        share_of_first: divide(here.length, members.length),
        share_of_previous: before === undefined ? null : divide(here.length, before.length),
        median_seconds: percentile(durations, 0.5),
        p25_seconds: percentile(durations, 0.25),
        p75_seconds: percentile(durations, 0.75),
      };
    });
  });
}

const divide = (part: number, whole: number) => (whole === 0 ? null : part / whole);
