import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { createColumn } from '../scan/columns.ts';
import { anyOf, scanEvents } from '../scan/event-scan.ts';
import type { Scan } from '../scan/event-scan.ts';
import { matchesFilter } from '../scan/event-selection.ts';
import type { EventChoice, EventSelection } from '../scan/event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createGroups } from '../scan/groups.ts';
import type { EventPlayers } from '../scan/groups.ts';
import { PackedField, read64 } from '../scan/packet.ts';
import type { Packet } from '../scan/packet.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';

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
    const { sure_mask, filtered } = splitSteps(steps, event_name);
    const fields = [PackedField.time];
    const mask_at = 8 * (1 + fields.length);
    if (filtered.length > 0) fields.push(PackedField.integer(addBits(filtered)));
    const group_at = groups?.field === null ? 0 : 8 * (1 + fields.length);
    // Only events of the first step decide the group of a player.
    const with_group = groups !== null && event_name === first_name;
    if (with_group && groups.field !== null) fields.push(groups.field);
    const id_at = 8 * (1 + fields.length);
    if (with_group) fields.push(PackedField.integer(sql`id`));
    const record_bytes = 8 * (1 + fields.length);

    const addMasks = ({ view, count }: Packet) => {
      const { array, from } = masks.extend(count);
      array.fill(sure_mask, from, from + count);
      if (filtered.length === 0) return;
      for (let index = 0; index < count; index++) {
        array[from + index]! |= view.getUint32(index * record_bytes + mask_at + 4);
      }
    };
    const addGroups = (packet: Packet) => {
      const { view, count } = packet;
      const of = group_numbers.extend(count);
      const id = ids.extend(count);
      if (!with_group) return;
      const mask = masks.values().subarray(-count);
      for (let index = 0; index < count; index++) {
        const record = index * record_bytes;
        id.array[id.from + index] = read64(view, record + id_at);
        const at = record + group_at;
        if ((mask[index]! & 1) === 0) continue;
        const number = groups.numberOf(view.getUint32(at), view.getUint32(at + 4), packet);
        of.array[of.from + index] = number;
      }
    };
    return {
      ...(found.keeps && { keeps: found.keeps }),
      names: [event_name],
      condition: sure_mask === 0 ? anyOf(filtered.map(({ condition }) => condition)) : sql`true`,
      fields,
      onPacket(packet) {
        const { view, count } = packet;
        const player = players.extend(count);
        const time = times.extend(count);
        for (let index = 0; index < count; index++) {
          const at = index * record_bytes;
          const number = numbers.numberOf(view.getUint32(at), view.getUint32(at + 4));
          player.array[player.from + index] = number;
          time.array[time.from + index] = read64(view, at + 8);
        }
        addMasks(packet);
        if (groups !== null) addGroups(packet);
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

interface FilteredStep {
  condition: Sql;
  bit: number;
}

/**
 * Sorts the steps that ask for events of this name. `sure_mask` has a bit for each step without conditions,
 * which every event of the name matches. `filtered` has the steps with conditions.
 */
function splitSteps(steps: readonly EventChoice[], event_name: string) {
  let sure_mask = 0;
  const filtered: FilteredStep[] = [];
  steps.forEach((step, place) => {
    if (step.event_name !== event_name) return;
    if (step.filter.length === 0) sure_mask |= 2 ** place;
    else filtered.push({ condition: matchesFilter(step), bit: 2 ** place });
  });
  return { sure_mask, filtered };
}

const addBits = (steps: readonly FilteredStep[]): Sql =>
  steps
    .map(({ condition, bit }) => sql`CASE WHEN ${condition} THEN ${bit}::bigint ELSE 0 END`)
    .reduce((sum, bit) => sql`${sum} + ${bit}`);
