import { createColumn } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventChoice, EventSelection } from '../scan/event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createGroups } from '../scan/groups.ts';
import type { EventPlayers } from '../scan/groups.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { Scan } from '../scan/scan.ts';

/** The steps of a funnel. */
export interface FunnelSteps extends EventSelection {
  steps: readonly EventChoice[];
  window_minutes: number;
  /** The property that decides the groups. Its value is taken from the events of the first step. */
  breakdown: string | null;
}

export async function readFunnelEvents(
  database: ExploreDatabase,
  input: FunnelSteps,
  found: EventPlayers,
  signal: AbortSignal,
) {
  const { steps, breakdown } = input;
  const first_name = steps[0]!.event_name;
  const groups =
    breakdown === null ? found.groups : createGroups(database, input, first_name, breakdown);
  const numbers = createPlayerNumbers();
  const players = createColumn.integers();
  const times = createColumn.doubles();
  const masks = createColumn.bytes();
  const group_numbers = createColumn.integers();
  const ids = createColumn.doubles();

  const makeScan = (event_name: string): Scan => {
    const places = [...steps.keys()].filter((step) => steps[step]!.event_name === event_name);
    const step_masks = Uint8Array.from({ length: 2 ** places.length }, (_, mask) =>
      places.reduce((steps_met, step, bit) => steps_met | (((mask >> bit) & 1) << step), 0),
    );
    // Only events of the first step decide the group of a player.
    const with_group = groups !== null && event_name === first_name;
    return {
      ...(found.keeps && { keeps: found.keeps }),
      names: [event_name],
      choices: places.map((step) => steps[step]!),
      columns: {
        players: numbers.numberOf,
        times: true,
        ids: with_group,
        masks: true,
        values: with_group ? [groups] : [],
      },
      onEvents(read) {
        const { count } = read;
        players.append(read.players, count);
        times.append(read.times, count);
        const mask = masks.extend(count);
        for (let index = 0; index < count; index++) {
          mask.array[mask.from + index] = step_masks[read.masks[index]!]!;
        }
        if (groups === null) return;
        const of = group_numbers.extend(count);
        const id = ids.extend(count);
        if (!with_group) return;
        of.array.set(read.values[0]!.subarray(0, count), of.from);
        id.array.set(read.ids.subarray(0, count), id.from);
      },
    };
  };
  const names = new Set(steps.map(({ event_name }) => event_name));
  await scanEvents(database, input, [...names].map(makeScan), signal);
  return {
    player_count: numbers.count,
    /**
     * Takes the two halves of the hash of a player id, and returns the number of the player; -1 for a player
     * without events.
     */
    findPlayer: numbers.find,
    players: players.values(),
    /** The time of each event, in microseconds since 2000. */
    times: times.values(),
    /** For each event, the steps that the event matches, as bits. */
    masks: masks.values(),
    /** Null if the funnel has no groups. The columns `group_numbers` and `ids` are then empty. */
    groups,
    /**
     * For each event of the first step, the number of the value that decides its group. Numbers of other
     * events have no meaning.
     */
    group_numbers: group_numbers.values(),
    ids: ids.values(),
  };
}

/** The events that match any step of a funnel, as columns. */
export type FunnelEvents = Awaited<ReturnType<typeof readFunnelEvents>>;
