import { randomUUID } from 'node:crypto';
import type { Queryable } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';
import { waitUntil } from './wait-until.ts';

/** Puts a request into the inbox, as if a server had stopped before it ingested the request. */
export const insertInboxRow = (
  database: Queryable,
  game_id: string,
  body: string,
  event_count: number,
): Promise<number> =>
  database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    VALUES (${game_id}, 'production', ${randomUUID()}, now(), ${event_count}, ${body})`);

/** Waits until all acknowledged events of a game are ingested. */
export const waitForIngest = (database: Queryable, game_id: string): Promise<void> =>
  waitUntil('the inbox is empty', async () => {
    const row = await database.queryOne(
      sql`SELECT FROM event_inbox WHERE game_id = ${game_id} LIMIT 1`,
    );
    return row === null;
  });
