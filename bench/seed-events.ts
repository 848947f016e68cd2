import { rebuildGame } from '../packages/server/src/features/reports/rollups/rebuilder.ts';
import { pauseIngest } from '../packages/server/src/features/events/inbox/ingest.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import type { BenchServer } from './bench-server.ts';

interface SeedSize {
  /** The approximate number of events. `seedEvents` returns the exact number. */
  events: number;
  players: number;
}

export const SEED_DAYS = 30;

/**
 * Fills a game with events of the last 30 days. Each player's first day is a random one of these days.
 * The longer ago the first day is, the less probably the player comes back. Inserts the events in the
 * order of receipt.
 * @returns the number of events.
 */
export async function seedEvents(
  server: BenchServer,
  { game_id, key_id }: { game_id: string; key_id: string },
  { events, players }: SeedSize,
): Promise<number> {
  const client = await server.database.connect();
  try {
    const run = (text: string, values: unknown[] = []) => client.query(text, values);
    await run(`
      CREATE TEMPORARY TABLE plays AS
      SELECT player, day, session, random() AS moment
      FROM (SELECT player, floor(random() * ${SEED_DAYS})::integer AS arrival, random() AS loyalty
            FROM generate_series(1, ${players}) AS player) AS players
      CROSS JOIN generate_series(0, ${SEED_DAYS - 1}) AS day
      CROSS JOIN generate_series(1, 2) AS session
      WHERE day >= arrival
        AND random() < CASE WHEN day = arrival THEN 1
                            ELSE 0.8 * loyalty * (day - arrival) ^ -0.5 END
        AND (session = 1 OR random() < 0.4)`);
    const { rows } = await run('SELECT count(*) AS count FROM plays');
    const events_per_session = Math.max(1, Math.round(events / rows[0].count));

    const months = await run(`
      SELECT to_char(month, 'YYYY_MM') AS name, month::text AS first,
             (month + interval '1 month')::text AS next
      FROM generate_series(date_trunc('month', now() - interval '${SEED_DAYS} days'), now(),
                           interval '1 month') AS month`);
    for (const { name, first, next } of months.rows) {
      await run(`DROP TABLE IF EXISTS events_${name}`);
      await run(`CREATE TABLE events_${name} (LIKE events INCLUDING DEFAULTS)`);
      for (let day = 0; day < SEED_DAYS; day++) {
        await run(
          `INSERT INTO events_${name}
             (id, received_at, occurred_at, client_timestamp, environment, game_id, key_id,
              event_name, session_id, player_id, properties)
           SELECT place + ${day} * 100000000::bigint, at, at, at, 'production', $1, $2, event_name,
                  session_id, player_id, properties
           FROM (
             SELECT row_number() OVER (ORDER BY at) AS place, *
             FROM (
               SELECT date_trunc('day', now()) + interval '1 second'
                        * (86400 * (day - ${SEED_DAYS - 1}) + floor(moment * 80000) + step * 20) AS at,
                      CASE step WHEN 1 THEN 'session_start'
                                WHEN ${events_per_session} THEN 'session_end'
                                ELSE (ARRAY['level_start', 'level_complete', 'level_fail',
                                            'item_used', 'shop_opened', 'purchase'])
                                     [1 + floor(random() ^ 2 * 6)::integer] END AS event_name,
                      player || '-' || day || '-' || session AS session_id,
                      'player-' || player AS player_id,
                      jsonb_build_object('level', step + day, 'score', floor(random() * 5000),
                                         'platform', (ARRAY['ios', 'android', 'web'])
                                                     [1 + player % 3]) AS properties
               FROM plays
               CROSS JOIN generate_series(1, ${events_per_session}) AS step
               WHERE day = ${day}
             ) AS made
             WHERE at >= $3::timestamptz AND at < $4::timestamptz
           ) AS numbered`,
          [game_id, key_id, first, next],
        );
      }
      await run(
        `ALTER TABLE events_${name} ADD PRIMARY KEY (game_id, environment, received_at, id)`,
      );
      await run(`ALTER TABLE events ATTACH PARTITION events_${name}
                 FOR VALUES FROM ('${first}') TO ('${next}')`);
    }
    await run(
      `INSERT INTO sessions
         (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
       SELECT game_id, environment, player_id, session_id, min(occurred_at), max(occurred_at),
              count(*)
       FROM events WHERE game_id = $1 GROUP BY 1, 2, 3, 4`,
      [game_id],
    );
    await run(
      `INSERT INTO players (game_id, environment, player_id, properties, first_seen_at, last_seen_at)
       SELECT game_id, environment, player_id,
              jsonb_build_object('country', (ARRAY['DE', 'FR', 'US', 'BR'])
                                            [1 + abs(hashtext(player_id)) % 4]),
              min(started_at), max(last_event_at)
       FROM sessions WHERE game_id = $1 GROUP BY 1, 2, 3`,
      [game_id],
    );
    await run('VACUUM ANALYZE');
    const counted = await run('SELECT count(*) AS count FROM events WHERE game_id = $1', [game_id]);
    return counted.rows[0].count;
  } finally {
    client.release(true);
  }
}

/** Computes the rollups of the seeded events. @returns how many seconds that took. */
export async function seedRollups(server: BenchServer, game_id: string): Promise<number> {
  const begun = performance.now();
  await rebuildGame(server.database, pauseIngest, { game_id });
  const seconds = (performance.now() - begun) / 1_000;
  const client = await server.database.connect();
  await client.query('VACUUM ANALYZE').finally(() => client.release());
  return seconds;
}

/** Measures the sizes of tables with their indexes and partitions. Lists the largest table first. */
export async function measureTables(
  server: BenchServer,
): Promise<{ name: string; table_bytes: number; index_bytes: number }[]> {
  return server.database.query(sql`
    SELECT regexp_replace(relname, '_\\d{4}_\\d{2}$', '') AS name,
           sum(pg_table_size(oid))::bigint AS table_bytes,
           sum(pg_indexes_size(oid))::bigint AS index_bytes
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    GROUP BY 1
    HAVING sum(pg_total_relation_size(oid)) > 1000000
    ORDER BY 2 DESC`);
}
