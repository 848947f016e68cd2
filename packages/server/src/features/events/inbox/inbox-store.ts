import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';

export interface IncomingRequest {
  caller: KeyCaller;
  event_count: number;
  /** The events as one JSON list. */
  text: string;
}

/** The part of a request that was stored. */
export interface StoredRequest {
  /** Number of its events that were stored, counted from the first. */
  received: number;
  /** Events that its game has stored this month, with this request. */
  used: number;
  quota: number;
  month_ends_in_ms: number;
}

/** The sum of the requests of one game. */
interface GameShare {
  game_id: string;
  event_count: number;
  quota: number;
}

interface CountedGame {
  game_id: string;
  used: number;
  accepted: number;
  month_ends_in_ms: number;
}

/**
 * Counts requests against the quotas of their games and puts them into the inbox. One statement
 * does both, so that it is exact under any concurrency: it locks the usage row of each game and
 * tells how many events were accepted. It locks them in the order of `game_id`, so that writers do
 * not deadlock. The requests of a game share the accepted events in their order, and the request
 * that crosses the quota is cut.
 */
export async function insertRequests(
  database: Queryable,
  requests: readonly IncomingRequest[],
): Promise<StoredRequest[]> {
  const shares = new Map<string, GameShare>();
  const preceding = requests.map(({ caller, event_count }) => {
    const { game_id, event_quota } = caller;
    const share = shares.get(game_id) ?? { game_id, event_count: 0, quota: event_quota };
    const before = share.event_count;
    share.event_count += event_count;
    share.quota = event_quota;
    shares.set(game_id, share);
    return before;
  });
  const games = [...shares.values()];

  const rows = await database.query<CountedGame>(sql`
    WITH counted AS (
      INSERT INTO event_usage AS usage (game_id, month, used, last_accepted, quota)
      SELECT game_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date,
             LEAST(event_count, quota), LEAST(event_count, quota), quota
      FROM ${rowsAs('asked', games, { game_id: 'uuid', event_count: 'bigint', quota: 'bigint' })}
      ORDER BY game_id
      ON CONFLICT (game_id, month) DO UPDATE
      SET used = usage.used + GREATEST(0, LEAST(EXCLUDED.used, EXCLUDED.quota - usage.used)),
          last_accepted = GREATEST(0, LEAST(EXCLUDED.used, EXCLUDED.quota - usage.used)),
          quota = EXCLUDED.quota
      RETURNING game_id, month, used, last_accepted
    ), stored AS (
      INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
      SELECT game_id, environment, key_id, now(), LEAST(event_count, last_accepted - preceding),
             body
      FROM unnest(${requests.map(({ caller }) => caller.game_id)}::uuid[],
                  ${requests.map(({ caller }) => caller.environment)}::environment[],
                  ${requests.map(({ caller }) => caller.key_id)}::uuid[],
                  ${requests.map(({ event_count }) => event_count)}::integer[],
                  ${preceding}::bigint[],
                  ${encodeTextArray(requests.map(({ text }) => text))}::text[])
        WITH ORDINALITY
        AS request (game_id, environment, key_id, event_count, preceding, body, number)
      JOIN counted USING (game_id)
      WHERE preceding < last_accepted
      ORDER BY number
    )
    SELECT game_id, used, last_accepted AS accepted,
           (extract(epoch FROM (month + interval '1 month') - now() AT TIME ZONE 'UTC') * 1000)
             ::float8 AS month_ends_in_ms
    FROM counted`);

  const counted = new Map(rows.map((row) => [row.game_id, row]));
  return requests.map(({ caller, event_count }, index) => {
    const { used, accepted, month_ends_in_ms } = counted.get(caller.game_id)!;
    const { quota } = shares.get(caller.game_id)!;
    const received = Math.max(0, Math.min(event_count, accepted - preceding[index]!));
    const used_after = used - accepted + Math.min(accepted, preceding[index]! + received);
    return { received, used: used_after, quota, month_ends_in_ms };
  });
}
