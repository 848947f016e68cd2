import type { Database } from '../packages/server/src/platform/database/database.ts';

/** A month of events of one game: as many as the Studio tier allows. */
interface History {
  game_id: string;
  event_count: number;
  player_count: number;
}

/** The events fall on this number of days, the last of which is yesterday. */
export const HISTORY_DAYS = 30;

/**
 * Fills the partitions of the last 30 days. Some players play a hundred times as much as others. A third
 * of the events begin a level, a quarter complete a level, 8 % begin a session, and 1 % are purchases.
 */
export async function fillHistory(database: Database, history: History): Promise<void> {
  const client = await database.connect();
  try {
    const { rows } = await client.query<{ month: string; first: string; next: string }>(`
      SELECT to_char(month, 'YYYY_MM') AS month, month::text AS first,
             (month + interval '1 month')::text AS next
      FROM generate_series(date_trunc('month', now() - interval '${HISTORY_DAYS} days'),
                           date_trunc('month', now()), interval '1 month') AS month`);
    for (const { month, first, next } of rows) {
      const table = `events_${month}`;
      await client.query(`DROP TABLE IF EXISTS ${table}`);
      await client.query(`CREATE TABLE ${table} (LIKE events INCLUDING DEFAULTS)`);
      await client.query(FILL.replace('events_to_fill', table), [
        history.event_count,
        history.player_count,
        history.game_id,
        first,
        next,
      ]);
      // ATTACH builds all indexes of the partition in one go.
      await client.query(
        `ALTER TABLE events ATTACH PARTITION ${table} FOR VALUES FROM ('${first}') TO ('${next}')`,
      );
      await client.query(`VACUUM (ANALYZE) ${table}`);
    }
    await client.query(PLAYERS, [history.player_count, history.game_id]);
    await client.query('VACUUM (ANALYZE) players');
    for (const table of Object.keys(DERIVED)) {
      await client.query(DERIVED[table]!, [history.game_id]);
      await client.query(`VACUUM (ANALYZE) ${table}`);
    }
  } finally {
    client.release();
  }
}

const FILL = `
  INSERT INTO events_to_fill
    (id, received_at, occurred_at, client_timestamp, environment, game_id, key_id, event_name,
     session_id, player_id, properties)
  SELECT number * 8, at, occurred_at, occurred_at, 'production', $3::uuid, $3::uuid, event_name,
         'session-' || player || '-' || extract(day FROM at), 'player-' || player,
         CASE event_name
           WHEN 'purchase' THEN jsonb_build_object(
             'product', 'product_' || (luck * luck * 12)::integer,
             'price', (ARRAY[0.99, 4.99, 9.99, 19.99])[1 + (luck * 3)::integer],
             'currency', 'EUR')
           ELSE jsonb_build_object(
             'level', 1 + (luck * luck * 60)::integer,
             'seconds', round((luck * 300)::numeric, 1),
             'platform', (ARRAY['ios', 'android', 'windows'])[1 + player % 3],
             'build', '1.4.2')
         END
  FROM (
    SELECT number, at, at - make_interval(secs => 5 * random()) AS occurred_at, random() AS luck,
           floor($2::integer * random() * random())::integer AS player, random() AS kind
    FROM generate_series(0, $1::bigint - 1) AS number
    CROSS JOIN LATERAL (
      SELECT date_trunc('day', now()) - interval '${HISTORY_DAYS} days'
             + number * (interval '${HISTORY_DAYS} days' / $1::bigint) AS at
    ) AS clock
    WHERE at >= $4::timestamptz AND at < $5::timestamptz
  ) AS chosen
  CROSS JOIN LATERAL (
    SELECT CASE WHEN kind < 0.08 THEN 'session_start' WHEN kind < 0.40 THEN 'level_start'
                WHEN kind < 0.65 THEN 'level_complete' WHEN kind < 0.82 THEN 'item_used'
                WHEN kind < 0.94 THEN 'screen_viewed' WHEN kind < 0.95 THEN 'purchase'
                ELSE 'session_end' END AS event_name
  ) AS named`;

const PLAYERS = `
  INSERT INTO players (game_id, environment, player_id, properties, first_seen_at, last_seen_at)
  SELECT $2::uuid, 'production', 'player-' || number, jsonb_build_object('level', 1, 'country',
           (ARRAY['us', 'de', 'fr', 'jp', 'br'])[1 + number % 5]), now(), now()
  FROM generate_series(0, $1::integer - 1) AS number
  ON CONFLICT DO NOTHING`;

const OF_GAME = `FROM events WHERE game_id = $1 AND environment = 'production'`;

/**
 * Statements that fill the tables that ingest derives from events. Reports on a part of the players read
 * these tables.
 */
const DERIVED: Record<string, string> = {
  daily_event_counts: `
    INSERT INTO daily_event_counts (game_id, environment, day, event_name, key_id, event_count)
    SELECT $1, 'production', occurred_at::date, event_name, $1, count(*) ${OF_GAME} GROUP BY 3, 4`,
  sessions: `
    INSERT INTO sessions
      (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
    SELECT $1, 'production', player_id, session_id, min(occurred_at), max(occurred_at), count(*)
    ${OF_GAME} GROUP BY 3, 4`,
  daily_sessions: `
    INSERT INTO daily_sessions (game_id, environment, day, length_class, session_count,
                                player_session_count, total_seconds)
    SELECT $1, 'production', started_at::date, 0, count(*), count(*), 0
    FROM sessions WHERE game_id = $1 GROUP BY 3`,
  player_activity: `
    INSERT INTO player_activity (game_id, environment, player_id, first_day, active_days)
    SELECT $1, 'production', player_id, min(day),
           string_agg(repeat('0', COALESCE(day - previous - 1, 0)) || '1', '' ORDER BY day)
             ::bit varying
    FROM (SELECT player_id, day, lag(day) OVER (PARTITION BY player_id ORDER BY day) AS previous
          FROM (SELECT DISTINCT player_id, started_at::date AS day
                FROM sessions WHERE game_id = $1) AS days) AS active
    GROUP BY player_id`,
};
