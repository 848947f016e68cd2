import type { getFunnel } from '@overworld/contract/analytics/funnel';
import type { SuccessOf } from '@overworld/contract/operation';
import { groupBy, percentiles } from '../scan/columns.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import { findEventPlayers } from '../players/find-players.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { findAttempts } from './funnel-attempts.ts';
import type { Attempts } from './funnel-attempts.ts';
import { readFunnelEvents } from './funnel-events.ts';
import type { FunnelSteps } from './funnel-events.ts';

export interface FunnelInput extends FunnelSteps {
  /** The players whom the report counts; null for all players. */
  choice: PlayerChoice | null;
  /** The maximum number of groups, besides the groups `other` and `none`. */
  limit: number;
}

export type FunnelReport = Pick<SuccessOf<typeof getFunnel>, 'window_minutes' | 'steps' | 'groups'>;
export type FunnelStep = FunnelReport['steps'][number];

/** Counts how far players get in a funnel. The contract and `funnel-walk.ts` have the definition. */
export async function makeFunnel(
  database: ExploreDatabase,
  input: FunnelInput,
  signal: AbortSignal,
): Promise<FunnelReport> {
  const { steps, window_minutes, limit } = input;
  const names = steps.map(({ event_name }) => event_name);
  for (const name of new Set(names)) await expectEvents(database, input, [name], signal);
  const found = await findEventPlayers(database, input, input.choice, signal);
  const events = await readFunnelEvents(database, input, found, signal);
  const attempts = findAttempts(events, input);

  const everybody = new Uint32Array(attempts.count);
  const [all] = countSteps(attempts, everybody, 1, names);
  const { groups } = events;
  if (groups === null) return { window_minutes, steps: all!, groups: [] };
  const sizes = new Uint32Array(groups.count());
  for (let index = 0; index < attempts.count; index++) sizes[attempts.groups[index]!]!++;
  const { labels, label_of } = await groups.choose(sizes, limit, signal);
  const label_of_attempt = attempts.groups.map((group) => label_of[group]!);
  const parts = countSteps(attempts, label_of_attempt, labels.length + 1, names);
  return {
    window_minutes,
    steps: all!,
    groups: labels.map((label, index) => ({ ...label, steps: parts[index]! })),
  };
}

/** For each group, counts the players at each step, and finds the times that they took to reach the step. */
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
