import { sql } from '../../../platform/database/sql.ts';
import { propertyText } from '../../../platform/property-text.ts';
import { inRange } from './event-selection.ts';
import type { EventSelection } from './event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { chooseGroups } from './choose-groups.ts';
import type { ChosenGroups } from './choose-groups.ts';
import { MAX_GROUP_VALUE_LENGTH } from './group-value.ts';
import { VALUE_SEED } from './packet.ts';
import { createPlayerNumbers } from './player-numbers.ts';
import type { ValueNumbering, ValueSource } from './scan.ts';

/**
 * The values by which a report is grouped. Each value has a number, found by its hash. Only the few values
 * that the report lists are read as texts.
 */
export interface Groups extends ValueNumbering {
  /** Number of values found. */
  count(): number;
  /** Chooses the groups as `chooseGroups` does. @param sizes The size of each value, by its number. */
  choose(sizes: Uint32Array, limit: number, signal: AbortSignal): Promise<ChosenGroups>;
}

/** More values than this are found in one pass over the events. */
const MAX_LOOKED_UP = 50;

export function createGroups(
  database: ExploreDatabase,
  selection: EventSelection,
  event_name: string,
  property: string,
): Groups {
  const text = propertyText(property);
  const numbers = createPlayerNumbers();
  /**
   * Where each value was found, so that its text can be read later if it is not known. There may be millions of
   * values, too many to read all of their texts from rows.
   */
  const found: { high: number; low: number; source: ValueSource }[] = [];
  const hashOf = (value: number) => {
    const { high, low } = found[value]!;
    return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low >>> 0)).toString();
  };
  let none = -1;

  const readLabels = async (values: readonly number[], signal: AbortSignal) => {
    const texts = new Map<number, string>();
    const unread = values.flatMap((value) => {
      const { source } = found[value]!;
      if (!('text' in source)) return [{ value, ...source }];
      texts.set(value, source.text);
      return [];
    });
    if (unread.length === 0) return texts;
    if (unread.length > MAX_LOOKED_UP) {
      // One pass over the events is cheaper than a search of its own for each of many values.
      const times = unread.flatMap(({ first_received_at, last_received_at }) => [
        first_received_at,
        last_received_at,
      ]);
      const of_hash = new Map(unread.map(({ value }) => [hashOf(value), value]));
      const found_texts = await database.query<{ hash: string; value: string }>(
        sql`
          SELECT hash::text AS hash, min(value COLLATE "C") AS value
          FROM (SELECT hashtextextended(${text}, ${VALUE_SEED}::bigint) AS hash,
                       left(${text}, ${MAX_GROUP_VALUE_LENGTH}::integer) AS value
                FROM events
                WHERE ${inRange(selection)} AND event_name = ${event_name}::text
                  AND received_at BETWEEN (SELECT min(at) FROM unnest(${times}::timestamptz[]) AS at)
                                      AND (SELECT max(at) FROM unnest(${times}::timestamptz[]) AS at)
               ) AS read
          WHERE hash = ANY(${[...of_hash.keys()]}::bigint[])
          GROUP BY hash`,
        signal,
      );
      for (const { hash, value } of found_texts) texts.set(of_hash.get(hash)!, value);
      return texts;
    }
    const rows = await database.query<{ place: number; value: string }>(
      sql`
        SELECT place, left(value, ${MAX_GROUP_VALUE_LENGTH}::integer) AS value
        FROM unnest(${unread.map(({ value }) => hashOf(value))}::bigint[],
                    ${unread.map(({ first_received_at }) => first_received_at)}::timestamptz[],
                    ${unread.map(({ last_received_at }) => last_received_at)}::timestamptz[])
          WITH ORDINALITY AS wanted (hash, first, last, place)
        CROSS JOIN LATERAL (
          SELECT ${text} AS value
          FROM events
          WHERE ${inRange(selection)} AND received_at BETWEEN first AND last
            AND event_name = ${event_name}::text
            AND hashtextextended(${text}, ${VALUE_SEED}::bigint) = hash
          LIMIT 1
        ) AS example`,
      signal,
    );
    for (const { place, value } of rows) texts.set(unread[place - 1]!.value, value);
    return texts;
  };

  return {
    property,

    numberOf(high, low, source) {
      const number = numbers.numberOf(high, low);
      if (number === found.length) {
        if (high === 0 && low === 0) none = number;
        found.push({ high, low, source });
      }
      return number;
    },

    count: () => found.length,

    choose: (sizes, limit, signal) =>
      chooseGroups(
        {
          none,
          compare: (a, b) => found[a]!.high - found[b]!.high || found[a]!.low - found[b]!.low,
          async read(numbers_listed) {
            const texts = await readLabels(numbers_listed, signal);
            // The text of a value is read from one event. If the player of that event has been erased
            // meanwhile, the value has no text.
            return numbers_listed
              .map((number) => ({ number, value: texts.get(number) ?? '' }))
              .toSorted((a, b) => sizes[b.number]! - sizes[a.number]! || compare(a.value, b.value));
          },
        },
        sizes,
        limit,
      ),
  };
}

/** The players of a report on events, and the groups into which the report splits them. */
export interface EventPlayers {
  keeps?: (high: number, low: number) => boolean;
  groups: Groups | null;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
