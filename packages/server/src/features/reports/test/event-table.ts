import { randomUUID } from 'node:crypto';
import type { TestServer } from '../../../../test/harness.ts';
import { TEST_DAY } from '../../../../test/past-day.ts';
import { sql } from '../../../platform/database/sql.ts';

/** An event of a test. Its time is in seconds after midnight (UTC) of the day of the tests. */
export interface TestEvent {
  event_name: string;
  player_id: string | null;
  at_s: number;
  properties?: Record<string, unknown>;
}

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
