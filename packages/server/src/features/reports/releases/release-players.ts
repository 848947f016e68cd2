import { VERSION_PROPERTY } from '@overworld/contract/analytics/release-limits';
import { SESSION_START } from '@overworld/contract/players/first-session';
import { hashText } from '../../../platform/database/text-hash.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { ReleaseInput } from '../../../platform/reports/release-outcomes.ts';
import { addDays } from '../days.ts';
import { createDayFinder } from '../revenue/revenue-days.ts';
import { createColumn } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { packedTime, VALUE_SEED } from '../scan/packet.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { ValueNumbering } from '../scan/scan.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

const DAY_US = 86_400_000_000;
const [OWN, OTHER, NONE] = [0, 1, 2] as const;

/**
 * Finds the players who started a version, and the time in which each of them counts: from the first start of the
 * version until the start of another one, at most for the days of the question. A session without a version ends
 * nothing. Times are microseconds since 2000.
 */
export async function findReleasePlayers(
  database: ExploreDatabase,
  input: ReleaseInput,
  signal: AbortSignal,
) {
  const { from, to, days, time_zone, as_of } = input;
  const starts = await readDayStarts(database, from, addDays(to, days + 1), time_zone, signal);
  const selection: EventSelection = {
    ...input,
    starts_at: starts[0]!.start_at,
    ends_at: starts.at(-1)!.start_at,
  };
  const numbers = createPlayerNumbers();
  const players = createColumn.integers();
  const times = createColumn.doubles();
  const kinds = createColumn.integers();
  await scanEvents(
    database,
    selection,
    [
      {
        names: [SESSION_START],
        columns: {
          players: numbers.numberOf,
          times: true,
          values: [numberVersions(input.version)],
        },
        onEvents({ count, players: of, times: at, values: [versions] }) {
          players.append(of, count);
          times.append(at, count);
          kinds.append(versions!, count);
        },
      },
    ],
    signal,
  );
  const spans = findSpans(
    { players: players.values(), times: times.values(), kinds: kinds.values() },
    {
      count: numbers.count,
      before: starts.at(-1 - days)!.start_us,
      length: days * DAY_US,
    },
  );
  const complete_before = packedTime(as_of) - days * DAY_US;
  const findDay = createDayFinder(Float64Array.from(starts, ({ start_us }) => start_us));
  return {
    selection,
    count: numbers.count,
    find: (high: number, low: number): number => numbers.find(high, low),
    /** Tells whether the player started the version on the days of the question. */
    has: (player: number): boolean => spans.first[player]! < Infinity,
    /** Tells whether all days of the player that count are over. */
    isComplete: (player: number): boolean => spans.first[player]! <= complete_before,
    /** Tells whether a time of the player counts. */
    isWithin: (player: number, time: number): boolean =>
      time >= spans.first[player]! && time < spans.until[player]!,
    /** Tells whether the first session of the player on this day was with the version. */
    beganOn: (player: number, day: number): boolean =>
      spans.is_first[player] === 1 && findDay(spans.first[player]!) === day,
  };
}

/** The players of a version. Functions take the number that `find` returns. */
export type ReleasePlayers = Awaited<ReturnType<typeof findReleasePlayers>>;

/** Reads the moments at which days begin. */
const readDayStarts = (
  database: ExploreDatabase,
  from: string,
  to: string,
  time_zone: string,
  signal: AbortSignal,
) =>
  database.query<{ start_at: string; start_us: number }>(
    sql`
      SELECT start_at,
             (extract(epoch FROM start_at - '2000-01-01 00:00:00Z'::timestamptz) * 1000000)::bigint
               AS start_us
      FROM (SELECT ${from}::date + place AS day
            FROM generate_series(0, ${to}::date - ${from}::date) AS place) AS calendar
      CROSS JOIN LATERAL (SELECT day::timestamp AT TIME ZONE ${time_zone}::text AS start_at) AS start
      ORDER BY day`,
    signal,
  );

/** Numbers the versions of sessions: the one of the question, any other, and none. */
function numberVersions(version: string): ValueNumbering {
  const own = hashText(version, VALUE_SEED);
  return {
    property: VERSION_PROPERTY,
    numberOf(high, low) {
      if ((high | 0) === own.high && (low | 0) === own.low) return OWN;
      return high === 0 && low === 0 ? NONE : OTHER;
    },
  };
}

function findSpans(
  starts: { players: Uint32Array; times: Float64Array; kinds: Uint32Array },
  { count, before, length }: { count: number; before: number; length: number },
) {
  const { players, times, kinds } = starts;
  const first = new Float64Array(count).fill(Infinity);
  for (let index = 0; index < players.length; index++) {
    const [player, time] = [players[index]!, times[index]!];
    if (kinds[index] === OWN && time < before && time < first[player]!) first[player] = time;
  }
  const until = first.map((time) => time + length);
  const is_first = new Uint8Array(count).fill(1);
  for (let index = 0; index < players.length; index++) {
    if (kinds[index] !== OTHER) continue;
    const [player, time] = [players[index]!, times[index]!];
    if (time < first[player]!) is_first[player] = 0;
    else if (time < until[player]!) until[player] = time;
  }
  return { first, until, is_first };
}
