import { MAX_SPLIT_VALUES } from '@overworld/contract/analytics/limits';
import { badRequest } from '../../../platform/errors.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { makeRoom } from '../scan/columns.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { EventPlayers } from '../scan/groups.ts';
import { expectPlayers } from '../scan/expected-rows.ts';
import { PackedField, readPacked, SEED } from '../scan/packet.ts';
import { isChosen, splitValue } from './player-choice.ts';
import type { PlayerChoice } from './player-choice.ts';
import { createPlayerGroups } from './player-groups.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { PlayerSet } from './player-set.ts';
import { createSegmentTest } from './segment-test.ts';

/**
 * Finds the players of a report on events, and their groups.
 * @param choice Null for all players, without groups.
 */
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

/** The number of players that one statement reads. This takes about 50 ms. */
const PAGE_SIZE = 20_000;

/**
 * Finds the players of a report. This takes about 2 µs for each player of the environment, and needs 16 to 32
 * bytes of memory for each player that is found.
 */
export async function findPlayers(
  database: ExploreDatabase,
  selection: EventSelection,
  choice: PlayerChoice,
  signal: AbortSignal,
): Promise<PlayerSet> {
  const { players, split } = choice;
  await expectPlayers(database, selection, ['players'], signal);
  const isInSegment = await createSegmentTest(
    database,
    selection,
    players?.segment ?? null,
    signal,
  );
  const isInSplit = await createSegmentTest(
    database,
    selection,
    split?.by === 'segment' ? split.segment : null,
    signal,
  );
  const numbers = createPlayerNumbers();
  let value_of = new Uint32Array(1 << 12);
  const values: (string | null)[] = [null];
  const known = new Map<string, number>();
  const numberOf = (text: string) => {
    let number = known.get(text);
    if (number === undefined) {
      if (known.size === MAX_SPLIT_VALUES) {
        const most = MAX_SPLIT_VALUES.toLocaleString('en-US');
        throw badRequest(`split_by must name a property with at most ${most} values`);
      }
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
      if (!isInSegment(high, low)) continue;
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
    database.progress.add(page!.count);
    if (page!.count < PAGE_SIZE) break;
    after = page!.last;
  }
  return {
    values,
    size: numbers.count,
    valueOf(high, low) {
      const player = numbers.find(high, low);
      return player === -1 ? -1 : value_of[player]!;
    },
  };
}

interface PlayerPage {
  count: number;
  last: string | null;
  packed: string | null;
  values: string | null;
}
