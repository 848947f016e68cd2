import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import { sql } from '../../../platform/database/sql.ts';
import type { SliceRows } from '../../../platform/reports/player-slices.ts';
import { SEED } from '../scan/event-scan.ts';
import { PackedField, readPacked } from '../scan/packet.ts';
import { findPlayers } from '../scan/player-set.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { groupPlayers, isActiveWithin, makeAdder, readActivity } from './activity.ts';
import { countActiveDays, toResult } from './player-days.ts';
import { dayNumber, dayText } from './slice-input.ts';
import type { SliceInput, SliceResult } from './slice-input.ts';

/** Rows that a statement reads. */
const PAGE_SIZE = 20_000;
const RECORD_BYTES = 20;
const CLASSES = SESSION_LENGTH_BOUNDS_SECONDS.length + 1;

/** Counts the sessions of players by day and length. */
export async function sliceSessions(
  database: ExploreDatabase,
  input: SliceInput,
  signal: AbortSignal,
): Promise<SliceResult<'sessions'>> {
  const set = await findPlayers(database, input, input.choice, signal);
  const activity = await readActivity(database, input, set, signal);
  const groups = groupPlayers(input, set, activity, isActiveWithin(input));
  const active = countActiveDays(input, activity, groups);

  const [first, last] = [dayNumber(input.from), dayNumber(input.to)];
  const cells = (last - first + 1) * CLASSES;
  const adder = makeAdder(groups, () => ({
    counts: new Float64Array(cells),
    seconds: new Float64Array(cells),
  }));
  await readSessions(database, input, signal, (view) => {
    for (let at = 0; at < view.byteLength; at += RECORD_BYTES) {
      const value = set.valueOf(view.getUint32(at), view.getUint32(at + 4));
      if (value === -1) continue;
      const day = view.getInt32(at + 8) - first;
      const seconds = view.getInt32(at + 12) * 2 ** 32 + view.getUint32(at + 16);
      const cell = day * CLASSES + classOf(seconds);
      adder.ofValue(value, (numbers) => {
        numbers.counts[cell]!++;
        numbers.seconds[cell]! += seconds;
      });
    }
  });
  const toRows = (
    { counts, seconds }: typeof adder.total,
    days: SliceRows['active_days'],
  ): SliceRows['sessions'] => ({
    counts: [...counts.keys()]
      .filter((cell) => counts[cell]! > 0)
      .map((cell) => ({
        day: dayText(first + Math.floor(cell / CLASSES)),
        length_class: cell % CLASSES,
        session_count: counts[cell]!,
        total_seconds: seconds[cell]!,
      })),
    active: days.map(({ day, daily }) => ({ day, active_players: daily })),
  });
  return toResult(groups, {
    total: toRows(adder.total, active.total),
    parts: adder.parts.map((numbers, index) => toRows(numbers, active.parts[index]!)),
  });
}

const classOf = (seconds: number) => {
  let length_class = 0;
  while (seconds >= (SESSION_LENGTH_BOUNDS_SECONDS[length_class] ?? Infinity)) length_class++;
  return length_class;
};

/** Hands over the sessions of the days: player, day from 1970-01-01, and seconds. */
async function readSessions(
  database: ExploreDatabase,
  { game_id, environment, starts_at, ends_at, time_zone }: SliceInput,
  signal: AbortSignal,
  onPage: (view: DataView) => void,
): Promise<void> {
  let after = { player_id: '', session_id: '' };
  for (;;) {
    const [page] = await database.query<SessionPage>(
      sql`
        WITH page AS MATERIALIZED (
          SELECT player_id, session_id, started_at, last_event_at
          FROM sessions
          WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
            AND (player_id, session_id) > (${after.player_id}::text, ${after.session_id}::text)
          ORDER BY player_id, session_id
          LIMIT ${PAGE_SIZE}
        ), ending AS (
          SELECT player_id, session_id FROM page ORDER BY player_id DESC, session_id DESC LIMIT 1
        )
        SELECT (SELECT count(*) FROM page) AS count, ending.player_id, ending.session_id, packed
        FROM ending
        CROSS JOIN (
          SELECT string_agg(
                   ${PackedField.hash(sql`player_id`, SEED)}
                   || int4send((started_at AT TIME ZONE ${time_zone}::text)::date
                               - DATE '1970-01-01')
                   || int8send(floor(date_part('epoch', last_event_at - started_at))::bigint),
                   '')::text AS packed
          FROM page
          WHERE started_at >= ${starts_at}::timestamptz AND started_at < ${ends_at}::timestamptz
            AND player_id <> ''
        ) AS counted`,
      signal,
    );
    if (page === undefined) break;
    if (page.packed !== null) onPage(readPacked(page.packed));
    if (page.count < PAGE_SIZE) break;
    after = page;
  }
}

interface SessionPage {
  count: number;
  player_id: string;
  session_id: string;
  packed: string | null;
}
