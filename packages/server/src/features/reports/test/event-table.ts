import { randomUUID } from 'node:crypto';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

/** An event of a test. Its time is in seconds after midnight (UTC) of the day of the tests. */
export interface TestEvent {
  event_name: string;
  player_id: string | null;
  at_s: number;
  properties?: Record<string, unknown>;
}

const DAY_MS = 86_400_000;

/** Yesterday, which is over in UTC and in the time zone of the tests' games. */
export const TEST_DAY = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
export const TEST_RANGE = `from=${TEST_DAY}&to=${TEST_DAY}`;

let last_id = 0;

/**
 * Stores events in the given order, in the same way as the ingester. Each counts as received when it
 * occurred.
 */
export async function insertEvents(
  server: TestServer,
  game_id: string,
  events: readonly TestEvent[],
): Promise<void> {
  const first_id = last_id + 1;
  last_id += events.length;
  await server.database.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT ${first_id}::bigint + number - 1, occurred_at, occurred_at, 'production', ${game_id},
           ${randomUUID()}, event_name, 's', player_id, properties::jsonb
    FROM unnest(${events.map(({ event_name }) => event_name)}::text[],
                ${events.map(({ player_id }) => player_id)}::text[],
                ${events.map(({ at_s }) => at_s)}::float8[],
                ${events.map(({ properties = {} }) => JSON.stringify(properties))}::text[])
      WITH ORDINALITY AS event (event_name, player_id, at_s, properties, number)
    CROSS JOIN LATERAL (
      SELECT ${TEST_DAY}::timestamptz + make_interval(secs => at_s) AS occurred_at
    ) AS clock`);
}

/** Makes the partition of a day, by default of yesterday, which may be in the month before. */
export async function makeTestPartition(server: TestServer, day = TEST_DAY): Promise<void> {
  const month = day.slice(0, 7);
  const row = await server.database.queryOne<{ next: string }>(sql`
    SELECT (${`${month}-01`}::date + interval '1 month')::date::text AS next`);
  for (const group of server.database.groups) {
    await group.execute({
      text: `CREATE TABLE IF NOT EXISTS events_${month.replace('-', '_')} PARTITION OF events
             FOR VALUES FROM ('${month}-01') TO ('${row!.next}')`,
      values: [],
    });
  }
}

/** Returns the path of a report of the game, with its JSON parameters encoded. */
export const reportPath = (game_id: string, report: string, query: Record<string, unknown>) => {
  const parameters = Object.entries(query).map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return `${name}=${encodeURIComponent(text)}`;
  });
  return `/v1/games/${game_id}/${report}?${[TEST_RANGE, ...parameters].join('&')}`;
};

/** Makes a game with `count` events of a kilobyte each. Its owner is authorized by `headers`. */
export async function makeLargeGame(server: TestServer, count: number) {
  const { game_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id });
  await server.database.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT number, at, at, 'production', ${game_id}, ${game_id}, 'e', 's', 'p' || number % 100,
           jsonb_build_object('text', repeat('x', 1000), 'number', number)
    FROM generate_series(1, ${count}) AS number
    CROSS JOIN LATERAL (
      SELECT ${TEST_DAY}::timestamptz + make_interval(secs => number / 10.0) AS at
    ) AS clock`);
  return { game_id, headers: { authorization: `Bearer ${account.token}` } };
}
