import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { PackedField } from './event-scan.ts';
import type { Packet } from './event-scan.ts';
import { inRange } from './event-selection.ts';
import type { EventSelection } from './event-selection.ts';
import type { ExploreDatabase } from './explore-database.ts';
import { createPlayerNumbers } from './player-numbers.ts';

/** What the events of a group have in common: see the contract. */
export interface GroupLabel {
  kind: 'value' | 'other' | 'none';
  value: string | null;
}

/** Values by which a report is broken down: numbered by their hashes, written out only for few. */
export interface Groups {
  /** The field of records that `numberOf` reads. */
  readonly field: Sql;
  /** The number of the value whose hash has these halves, found in this packet. */
  numberOf(high: number, low: number, packet: Packet): number;
  /** Number of values found. */
  count(): number;
  /**
   * The groups of a report: the largest values, each on its own, then `other` and `none`, without
   * those that are empty.
   * @param sizes Of each value, by its number.
   */
  choose(
    sizes: Uint32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ labels: GroupLabel[]; label_of: Uint32Array }>;
}

/** Always the same, so that of values as large as each other always the same are listed. */
const SEED = '0';
/** Longer texts are cut where they are shown. */
const MAX_LABEL_LENGTH = 255;

export function createGroups(
  database: ExploreDatabase,
  selection: EventSelection,
  event_name: string,
  property: string,
): Groups {
  const text = sql`properties ->> ${property}::text`;
  const numbers = createPlayerNumbers();
  /** Of each value, what is needed to find an event that has it. */
  const found: { hash: string; packet: Packet }[] = [];
  let none = -1;

  const readLabels = async (values: readonly number[], signal: AbortSignal) => {
    const rows = await database.query<{ place: number; value: string }>(
      sql`
        SELECT place, left(value, ${MAX_LABEL_LENGTH}::integer) AS value
        FROM unnest(${values.map((value) => found[value]!.hash)}::bigint[],
                    ${values.map((value) => found[value]!.packet.first_received_at)}::timestamptz[],
                    ${values.map((value) => found[value]!.packet.last_received_at)}::timestamptz[])
          WITH ORDINALITY AS wanted (hash, first, last, place)
        CROSS JOIN LATERAL (
          SELECT ${text} AS value
          FROM events
          WHERE ${inRange(selection)} AND received_at BETWEEN first AND last
            AND event_name = ${event_name}::text
            AND hashtextextended(${text}, ${SEED}::bigint) = hash
          LIMIT 1
        ) AS example`,
      signal,
    );
    const texts = new Map(rows.map(({ place, value }) => [place - 1, value]));
    // Not found when the player has been erased meanwhile.
    return values.map((_value, place) => texts.get(place) ?? '');
  };

  return {
    field: PackedField.hash(text, SEED),

    numberOf(high, low, packet) {
      const number = numbers.numberOf(high, low);
      if (number === found.length) {
        if (high === 0 && low === 0) none = number;
        const hash = BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)).toString();
        // Its bytes are not kept.
        found.push({ hash, packet: { ...packet, view: EMPTY, values: '' } });
      }
      return number;
    },

    count: () => found.length,

    async choose(sizes, limit, signal) {
      const values = found
        .map((_value, number) => number)
        .filter((number) => number !== none && (sizes[number] ?? 0) > 0)
        .toSorted(
          (a, b) =>
            sizes[b]! - sizes[a]! || (BigInt(found[a]!.hash) < BigInt(found[b]!.hash) ? -1 : 1),
        );
      const largest = values.slice(0, limit);
      const texts = largest.length === 0 ? [] : await readLabels(largest, signal);
      const listed = largest
        .map((number, place) => ({ number, value: texts[place]! }))
        .toSorted((a, b) => sizes[b.number]! - sizes[a.number]! || compare(a.value, b.value));
      const labels: GroupLabel[] = listed.map(({ value }) => ({ kind: 'value', value }));
      const label_of = new Uint32Array(found.length);
      listed.forEach(({ number }, label) => {
        label_of[number] = label;
      });
      if (values.length > limit) {
        for (const number of values.slice(limit)) label_of[number] = labels.length;
        labels.push({ kind: 'other', value: null });
      }
      if (none !== -1 && (sizes[none] ?? 0) > 0) {
        label_of[none] = labels.length;
        labels.push({ kind: 'none', value: null });
      }
      return { labels, label_of };
    },
  };
}

const EMPTY = new DataView(new ArrayBuffer(0));

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
