import { MAX_PROGRESSION_STEPS } from '@overworld/contract/analytics/limits';
import { createColumn, makeRoom } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventChoice, EventSelection } from '../scan/event-selection.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import { createGroups } from '../scan/groups.ts';
import type { EventPlayers, Groups } from '../scan/groups.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { Scan, ValueNumbering } from '../scan/scan.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/** The kinds of events of a step. The number of a kind is its index in this list. */
export const KINDS = ['start', 'fail', 'complete'] as const;
export type Kind = (typeof KINDS)[number];

export interface ProgressionEvents {
  /** The events of each kind; null if the game has none. */
  events: { start: EventChoice; fail: EventChoice | null; complete: EventChoice | null };
  /** The property that names the step. */
  property: string;
}

/** Reads the events that start, fail and complete steps. Events without a step are left out. */
export async function readProgression(
  database: ExploreDatabase,
  selection: EventSelection,
  { events, property }: ProgressionEvents,
  found: EventPlayers,
  signal: AbortSignal,
) {
  const given = KINDS.flatMap((kind, number) => {
    const choice = events[kind];
    return choice === null ? [] : [{ number, choice }];
  });
  for (const { choice } of given) {
    await expectEvents(database, selection, [choice.event_name], signal);
  }

  const step_numbers = createPlayerNumbers();
  const numbers = createPlayerNumbers();
  let player_values = new Uint32Array(1 << 12);
  const players = createColumn.integers();
  const steps = createColumn.integers();
  const kinds = createColumn.bytes();
  const times = createColumn.doubles();
  const ids = createColumn.doubles();
  /** For each step, the place in `texts` of the event by which it was found, and its number there. */
  const sources: { text: number; local: number }[] = [];
  const texts: Groups[] = [];

  const makeScan = ({ number, choice }: (typeof given)[number]): Scan => {
    // The texts of values are read from events of this name.
    const groups = createGroups(database, selection, choice.event_name, property);
    const text = texts.push(groups) - 1;
    const numbering: ValueNumbering = {
      property,
      numberOf(high, low, source) {
        if (high === 0 && low === 0) return -1;
        const local = groups.numberOf(high, low, source);
        const step = step_numbers.numberOf(high, low);
        if (step === sources.length) sources.push({ text, local });
        return step;
      },
    };
    return {
      ...(found.keeps && { keeps: found.keeps }),
      names: [choice.event_name],
      choices: [choice],
      columns: {
        players: numbers.numberOf,
        times: true,
        ids: true,
        values: [numbering, ...(found.groups === null ? [] : [found.groups])],
      },
      onEvents(read) {
        const { count } = read;
        const [step_of, value_of] = read.values;
        for (let index = 0; index < count; index++) {
          const step = step_of![index]!;
          if (step === -1) continue;
          const player = read.players[index]!;
          players.push(player);
          steps.push(step);
          kinds.push(number);
          times.push(read.times[index]!);
          ids.push(read.ids[index]!);
          if (value_of === undefined) continue;
          player_values = makeRoom(player_values, player);
          player_values[player] = value_of[index]!;
        }
      },
    };
  };
  await scanEvents(database, selection, given.map(makeScan), signal);

  return {
    player_count: numbers.count,
    findPlayer: numbers.find,
    step_count: sources.length,
    players: players.values(),
    steps: steps.values(),
    kinds: kinds.values(),
    /** Microseconds since 2000. */
    times: times.values(),
    ids: ids.values(),
    /** For each player, the number of the value that decides the group. */
    player_values,
    /** Reads the texts of the steps with the most events. */
    async readSteps(): Promise<{ step: number; text: string }[]> {
      const sizes = new Uint32Array(sources.length);
      for (const step of steps.values()) sizes[step]!++;
      const largest = largestOf(sizes, MAX_PROGRESSION_STEPS);
      const read: { step: number; text: string }[] = [];
      for (const [index, groups] of texts.entries()) {
        const own = largest.filter((step) => sources[step]!.text === index);
        if (own.length === 0) continue;
        const local_sizes = new Uint32Array(groups.count());
        for (const step of own) local_sizes[sources[step]!.local] = sizes[step]!;
        const { labels, label_of } = await groups.choose(local_sizes, own.length, signal);
        for (const step of own) {
          const text = labels[label_of[sources[step]!.local]!]?.value;
          if (typeof text === 'string') read.push({ step, text });
        }
      }
      return read;
    },
  };
}

export type ReadProgression = Awaited<ReturnType<typeof readProgression>>;

/** Returns the numbers of the largest sizes; of equal ones, those that were found first. */
function largestOf(sizes: Uint32Array, limit: number): number[] {
  const all = [...sizes.keys()];
  if (sizes.length <= limit) return all;
  const least = sizes.toSorted()[sizes.length - limit]!;
  const larger = all.filter((step) => sizes[step]! > least);
  const equal = all.filter((step) => sizes[step] === least);
  return [...larger, ...equal.slice(0, limit - larger.length)];
}
