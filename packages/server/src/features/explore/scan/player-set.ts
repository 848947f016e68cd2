import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { scanEvents, SEED } from './event-scan.ts';
import { matchesFilter } from './event-selection.ts';
import type { EventSelection } from './event-selection.ts';
import type { Groups } from './groups.ts';
import { PackedField, readPacked } from './packet.ts';
import { isChosen, splitValue } from './player-choice.ts';
import type { EventCondition, PlayerChoice } from './player-choice.ts';
import { createPlayerGroups } from './player-groups.ts';
import { createPlayerNumbers } from './player-numbers.ts';

/** The players of a report, by the hashes of their ids, with the value that decides their group. */
export interface PlayerSet {
  /** The number of the value of a player; -1 for players that are not in the set. */
  valueOf(high: number, low: number): number;
  /** The values as JSON texts, by number; null for players without one. */
  readonly values: readonly (string | null)[];
}

/** The players of a report on events, and the groups that its split makes of them. */
export interface EventPlayers {
  keeps?: (high: number, low: number) => boolean;
  groups: Groups | null;
}

/** Finds the players of a report on events; null stands for all players without a split. */
export async function findEventPlayers(
  database: ExploreDatabase,
  selection: EventSelection,
  choice: PlayerChoice | null,
  signal: AbortSignal,
): Promise<EventPlayers> {
  if (choice === null) return { groups: null };
  const set = await findPlayers(database, selection, choice, signal);
  const groups = choice.split === null ? null : createPlayerGroups(set);
  if (choice.players === null) return { groups };
  return { groups, keeps: (high, low) => set.valueOf(high, low) !== -1 };
}

/** Players that a statement reads. That takes about 50 ms. */
const PAGE_SIZE = 20_000;

/**
 * Finds the players of a report. Takes about 2 µs a player of the environment, and 16 to 32 bytes
 * for each that is found.
 */
export async function findPlayers(
  database: ExploreDatabase,
  selection: EventSelection,
  choice: PlayerChoice,
  signal: AbortSignal,
): Promise<PlayerSet> {
  const { players, split } = choice;
  const hasEvents = await createEventTest(
    database,
    selection,
    players?.segment?.event_conditions ?? [],
    signal,
  );
  const isInSplit = await createEventTest(
    database,
    selection,
    split?.by === 'segment' ? split.segment.event_conditions : [],
    signal,
  );
  const numbers = createPlayerNumbers();
  let value_of = new Uint32Array(1 << 12);
  const values: (string | null)[] = [null];
  const known = new Map<string, number>();
  const numberOf = (text: string) => {
    let number = known.get(text);
    if (number === undefined) {
      known.set(text, (number = values.length));
      values.push(text);
    }
    return number;
  };

  const add = (page: PlayerPage) => {
    const view = readPacked(page.packed ?? '\\x');
    const texts = split === null ? null : (page.values ?? '').split('\n');
    for (let at = 0, line = 0; at < view.byteLength; at += 8, line++) {
      const [high, low] = [view.getUint32(at), view.getUint32(at + 4)];
      if (!hasEvents(high, low)) continue;
      const player = numbers.numberOf(high, low);
      value_of = makeRoom(value_of, player);
      const text = texts?.[line] ?? '';
      value_of[player] = text === '' || !isInSplit(high, low) ? 0 : numberOf(text);
    }
  };

  let after = '';
  for (;;) {
    const [page] = await database.query<PlayerPage>(
      sql`
        SELECT count(*) AS count, max(player_id) AS last,
               string_agg(${PackedField.hash(sql`player_id`, SEED)}, '')
                 FILTER (WHERE is_chosen)::text AS packed,
               string_agg(COALESCE(value, ''), E'\\n') FILTER (WHERE is_chosen) AS values
        FROM (
          SELECT player_id, COALESCE(${isChosen(choice)}, false) AS is_chosen,
                 ${split === null ? sql`NULL::text` : splitValue(split)} AS value
          FROM players
          WHERE game_id = ${selection.game_id}::uuid
            AND environment = ${selection.environment}::environment AND player_id > ${after}::text
          ORDER BY player_id
          LIMIT ${PAGE_SIZE}
        ) AS page`,
      signal,
    );
    if (page!.last === null) break;
    add(page!);
    if (page!.count < PAGE_SIZE) break;
    after = page!.last;
  }
  return {
    values,
    valueOf(high, low) {
      const player = numbers.find(high, low);
      return player === -1 ? -1 : value_of[player]!;
    },
  };
}

/** The array, or a larger copy that has this index. */
function makeRoom(array: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  if (index < array.length) return array;
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

interface PlayerPage {
  count: number;
  last: string | null;
  packed: string | null;
  values: string | null;
}

/** Makes the function that tells whether a player meets conditions on events. */
async function createEventTest(
  database: ExploreDatabase,
  selection: EventSelection,
  conditions: readonly EventCondition[],
  signal: AbortSignal,
): Promise<(high: number, low: number) => boolean> {
  const tests: ((high: number, low: number) => boolean)[] = [];
  for (const { events, did, at_least } of conditions) {
    const numbers = createPlayerNumbers();
    let counts = new Uint32Array(1 << 12);
    const scan = {
      names: [events.event_name],
      condition: matchesFilter(events),
      fields: [],
      onPacket({ view, count }: { view: DataView; count: number }) {
        for (let index = 0; index < count; index++) {
          const player = numbers.numberOf(view.getUint32(index * 8), view.getUint32(index * 8 + 4));
          counts = makeRoom(counts, player);
          counts[player]!++;
        }
      },
    };
    await scanEvents(database, selection, [scan], signal);
    tests.push((high, low) => {
      const player = numbers.find(high, low);
      return (player !== -1 && counts[player]! >= at_least) === did;
    });
  }
  return (high, low) => tests.every((test) => test(high, low));
}
