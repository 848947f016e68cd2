import { MAX_RETENTION_DAY } from '@overworld/contract/analytics/players';
import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The rollups of a game, by the name of the rollup. A rollup has counts by name, and no counts of 0. */
export type Rollups = Record<string, Record<string, number>>;

interface StoredEvent {
  environment: string;
  event_name: string;
  session_id: string;
  player_id: string | null;
  key_id: string;
  client_timestamp: string | null;
  occurred_at: string;
  received_at: string;
  /** Whole microseconds since 1970. The API's times have only milliseconds. */
  occurred_us: number;
  received_us: number;
}

/**
 * Computes the counts that the rollups must have. Counts event by event in JavaScript, with Node's time
 * zones.
 */
export async function countNaively(
  database: Queryable,
  game_id: string,
  time_zone: string,
): Promise<Rollups> {
  const events = await database.query<StoredEvent>(sql`
    SELECT environment, event_name, session_id, player_id, key_id, client_timestamp, occurred_at,
           received_at, (extract(epoch FROM occurred_at) * 1000000)::bigint AS occurred_us,
           (extract(epoch FROM received_at) * 1000000)::bigint AS received_us
    FROM events WHERE game_id = ${game_id}`);
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
  const dayOf = (time: string) => format.format(new Date(time));
  const rollups = createRollups();
  const sessions = new Map<string, { event: StoredEvent; first: number; last: number }>();
  const players = new Map<string, Set<number>>();
  for (const event of events) {
    const { environment, event_name, key_id, player_id, session_id } = event;
    const { occurred_us: occurred, received_us: received } = event;
    const quarter = new Date(Math.floor(occurred / 900_000_000) * 900_000).toISOString();
    const day = dayOf(event.occurred_at);
    rollups.add('event_counts', [environment, quarter, event_name, key_id]);
    rollups.add('daily_event_counts', [environment, day, event_name, key_id]);
    const receipt = [environment, dayOf(event.received_at), key_id];
    rollups.add('daily_receipts', [...receipt, 'all']);
    if (received - occurred > 86_400_000_000) rollups.add('daily_receipts', [...receipt, 'late']);
    if (event.client_timestamp !== null && event.client_timestamp !== event.occurred_at) {
      rollups.add('daily_receipts', [...receipt, 'wrong clock']);
    }
    const session_name = JSON.stringify([environment, player_id, session_id]);
    const session = sessions.get(session_name) ?? { event, first: Infinity, last: -Infinity };
    session.first = Math.min(session.first, occurred);
    session.last = Math.max(session.last, occurred);
    sessions.set(session_name, session);
    if (player_id !== null) {
      const name = JSON.stringify([environment, player_id]);
      players.set(name, (players.get(name) ?? new Set()).add(Date.parse(day) / 86_400_000));
    }
  }
  for (const { event, first, last } of sessions.values()) {
    const seconds = Math.floor((last - first) / 1_000_000);
    const length = SESSION_LENGTH_BOUNDS_SECONDS.filter((bound) => bound <= seconds).length;
    const day = dayOf(new Date(first / 1_000).toISOString());
    rollups.add('daily_sessions', [event.environment, day, length, 'all']);
    if (event.player_id !== null) {
      rollups.add('daily_sessions', [event.environment, day, length, 'player']);
    }
    rollups.add('daily_sessions', [event.environment, day, length, 'seconds'], seconds);
  }
  for (const [name, days] of players) countPlayer(rollups, JSON.parse(name)[0], name, days);
  return rollups.finish();
}

function countPlayer(
  rollups: ReturnType<typeof createRollups>,
  environment: string,
  name: string,
  days: ReadonlySet<number>,
): void {
  const first = Math.min(...days);
  rollups.add('daily_players', [environment, textOf(first), 'new']);
  const windows: [string, number][] = [
    ['daily', 1],
    ['weekly', 7],
    ['monthly', 30],
  ];
  for (const [window, length] of windows) {
    const covered = new Set([...days].flatMap((day) => range(day, length)));
    for (const day of covered) rollups.add('daily_players', [environment, textOf(day), window]);
  }
  for (const day of days) {
    rollups.add('player_activity', [name, textOf(day)]);
    if (day - first <= MAX_RETENTION_DAY) {
      rollups.add('retention_counts', [environment, textOf(first), day - first]);
    }
  }
}

const range = (start: number, length: number) =>
  Array.from({ length }, (_, place) => start + place);

const textOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Reads the rollups as they are stored. */
export async function readRollups(database: Queryable, game_id: string): Promise<Rollups> {
  const rows = await database.query<{ rollup: string; name: unknown[]; amount: number }>(sql`
    SELECT 'event_counts' AS rollup,
           jsonb_build_array(environment, to_char(quarter, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                             event_name, key_id) AS name,
           event_count AS amount
    FROM event_counts WHERE game_id = ${game_id}
    UNION ALL
    SELECT 'daily_event_counts', jsonb_build_array(environment, day, event_name, key_id),
           event_count
    FROM daily_event_counts WHERE game_id = ${game_id}
    UNION ALL
    SELECT 'daily_receipts', jsonb_build_array(environment, day, key_id, kind), amount
    FROM daily_receipts
    CROSS JOIN LATERAL (VALUES ('all', event_count), ('late', late_count),
                               ('wrong clock', wrong_clock_count)) AS counted (kind, amount)
    WHERE game_id = ${game_id}
    UNION ALL
    SELECT 'daily_sessions', jsonb_build_array(environment, day, length_class, kind), amount
    FROM daily_sessions
    CROSS JOIN LATERAL (VALUES ('all', session_count), ('player', player_session_count),
                               ('seconds', total_seconds)) AS counted (kind, amount)
    WHERE game_id = ${game_id}
    UNION ALL
    SELECT 'daily_players', jsonb_build_array(environment, day, kind), amount
    FROM (
      SELECT environment, day,
             COALESCE(active_players, 0) AS daily, COALESCE(new_players, 0) AS new_players,
             COALESCE(sum(weekly_change) OVER until, 0)::bigint AS weekly,
             COALESCE(sum(monthly_change) OVER until, 0)::bigint AS monthly
      FROM (
        SELECT environment, day::date
        FROM (SELECT environment, min(day) AS first, max(day) AS last FROM daily_players
              WHERE game_id = ${game_id} GROUP BY environment) AS ends
        CROSS JOIN generate_series(first, last, interval '1 day') AS day
      ) AS calendar
      LEFT JOIN (SELECT * FROM daily_players WHERE game_id = ${game_id}) AS known
        USING (environment, day)
      WINDOW until AS (PARTITION BY environment ORDER BY day)
    ) AS days
    CROSS JOIN LATERAL (VALUES ('daily', daily), ('weekly', weekly), ('monthly', monthly),
                               ('new', new_players)) AS counted (kind, amount)
    UNION ALL
    SELECT 'retention_counts', jsonb_build_array(environment, first_day, day_number), player_count
    FROM retention_counts WHERE game_id = ${game_id}
    UNION ALL
    SELECT 'player_activity',
           jsonb_build_array(replace(jsonb_build_array(environment, player_id)::text, ', ', ','),
                             first_day + place), 1
    FROM player_activity
    CROSS JOIN generate_series(0, bit_length(active_days) - 1) AS place
    WHERE game_id = ${game_id} AND get_bit(active_days, place) = 1`);
  const rollups = createRollups();
  for (const { rollup, name, amount } of rows) rollups.add(rollup, name, amount);
  return rollups.finish();
}

function createRollups() {
  const counts = new Map<string, Map<string, number>>();
  return {
    add(rollup: string, name: readonly unknown[], amount = 1) {
      const named = counts.get(rollup) ?? new Map<string, number>();
      counts.set(rollup, named);
      const text = JSON.stringify(name);
      named.set(text, (named.get(text) ?? 0) + amount);
    },
    finish: (): Rollups =>
      Object.fromEntries(
        [...counts]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([rollup, named]) => {
            const rows = [...named].filter(([, amount]) => amount !== 0).toSorted();
            return [rollup, Object.fromEntries(rows)] as const;
          })
          .filter(([, named]) => Object.keys(named).length > 0),
      ),
  };
}
