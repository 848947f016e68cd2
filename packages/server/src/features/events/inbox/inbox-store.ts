import type { EventViolation } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';

export interface IncomingRequest {
  caller: KeyCaller;
  event_count: number;
  /** The events as one JSON list. */
  text: string;
  /** Problems that schema validation found; the answer lists only the problems of stored events. */
  warnings: readonly EventViolation[];
  /** A request with an idempotency key is stored once, however often it is sent. */
  idempotency: Idempotency | null;
}

export interface Idempotency {
  /** SHA-256 of the `Idempotency-Key`, hexadecimal. */
  key: string;
  /** SHA-256 of the body, hexadecimal. */
  body_hash: string;
}

/** The part of a request that was stored. */
export interface StoredRequest {
  /** The number of events that were stored. They are the first events of the request. */
  received: number;
  /** The number of events that the game has stored this month, including this request. */
  used: number;
  quota: number;
  month_ends_in_ms: number;
}

export interface CountedGame {
  game_id: string;
  used: number;
  accepted: number;
  month_ends_in_ms: number;
}

/**
 * The callers of a batch. Each caller is listed once, because the requests of a batch mostly come from a
 * small number of API keys.
 */
interface Callers {
  list: readonly KeyCaller[];
  /** The place of each request's caller in the list, counted from 1. */
  numbers: readonly number[];
  /** The quota of each game. If requests of a game name different quotas, the last request decides. */
  quotas: ReadonlyMap<string, number>;
}

export function findCallers(requests: readonly IncomingRequest[]): Callers {
  const list: KeyCaller[] = [];
  const known = new Map<string, number>();
  const quotas = new Map<string, number>();
  const numbers = requests.map(({ caller }) => {
    quotas.set(caller.game_id, caller.event_quota);
    const number = known.get(caller.key_id) ?? list.push(caller);
    known.set(caller.key_id, number);
    return number;
  });
  return { list, numbers, quotas };
}

/** SQL that gives the columns of a caller. The column `caller` contains the caller's place in the list. */
export const callerColumns = ({ list }: Callers): Sql => sql`
  (${list.map(({ game_id }) => game_id)}::uuid[])[caller] AS game_id,
  (${list.map(({ environment }) => environment)}::environment[])[caller] AS environment,
  (${list.map(({ key_id }) => key_id)}::uuid[])[caller] AS key_id`;

/**
 * Makes a common table expression that counts events against the quotas of their
 * games, and tells how many events of each game were accepted. It locks the usage
 * rows of the games in the order of `game_id`, so that writers do not deadlock.
 * @param asked Rows of `game_id`, `event_count` and `quota`, one for each game.
 */
export const countedGames = (asked: Sql): Sql => sql`
  counted AS (
    INSERT INTO event_usage AS usage (game_id, month, used, last_accepted, quota)
    SELECT game_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date,
           LEAST(event_count, quota), LEAST(event_count, quota), quota
    FROM ${asked}
    ORDER BY game_id
    ON CONFLICT (game_id, month) DO UPDATE
    SET used = usage.used + GREATEST(0, LEAST(EXCLUDED.used, EXCLUDED.quota - usage.used)),
        last_accepted = GREATEST(0, LEAST(EXCLUDED.used, EXCLUDED.quota - usage.used)),
        quota = EXCLUDED.quota
    RETURNING game_id, month, used, last_accepted
  )`;

export const countedColumns = sql`
  game_id, used, last_accepted AS accepted,
  (extract(epoch FROM (month + interval '1 month') - now() AT TIME ZONE 'UTC') * 1000)
    ::float8 AS month_ends_in_ms`;

/**
 * Counts requests against the quotas of their games and puts them into the inbox. This is one
 * statement, so the counts are exact under any concurrency. The requests of a game use up its quota
 * one after the other. Of the request that would exceed the quota, only the first events are accepted.
 */
export async function insertRequests(
  database: Queryable,
  requests: readonly IncomingRequest[],
): Promise<StoredRequest[]> {
  const callers = findCallers(requests);
  const sums = new Map<string, number>();
  const preceding = requests.map(({ caller: { game_id }, event_count }) => {
    const before = sums.get(game_id) ?? 0;
    sums.set(game_id, before + event_count);
    return before;
  });
  const games = Array.from(sums, ([game_id, event_count]) => {
    return { game_id, event_count, quota: callers.quotas.get(game_id)! };
  });
  const asked = rowsAs('asked', games, {
    game_id: 'uuid',
    event_count: 'bigint',
    quota: 'bigint',
  });
  const rows = await database.query<CountedGame>(sql`
    WITH ${countedGames(asked)}, sent AS (
      SELECT ${callerColumns(callers)}, event_count, preceding, body, number
      FROM unnest(${callers.numbers}::integer[],
                  ${requests.map(({ event_count }) => event_count)}::integer[],
                  ${preceding}::bigint[],
                  ${encodeTextArray(requests.map(({ text }) => text))}::text[])
        WITH ORDINALITY AS request (caller, event_count, preceding, body, number)
    ), stored AS (
      INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
      SELECT game_id, environment, key_id, now(), LEAST(event_count, last_accepted - preceding),
             body
      FROM sent
      JOIN counted USING (game_id)
      WHERE preceding < last_accepted
      ORDER BY number
    )
    SELECT ${countedColumns}
    FROM counted`);
  return shareAccepted(requests, callers, rows);
}

/** Divides the accepted events of each game among its requests, in the order of the requests. */
export function shareAccepted(
  requests: readonly IncomingRequest[],
  { quotas }: Callers,
  counted: readonly CountedGame[],
): StoredRequest[] {
  const games = new Map(counted.map((game) => [game.game_id, { ...game, preceding: 0 }]));
  return requests.map(({ caller, event_count }) => {
    const game = games.get(caller.game_id)!;
    const { used, accepted, preceding, month_ends_in_ms } = game;
    game.preceding += event_count;
    const received = Math.max(0, Math.min(event_count, accepted - preceding));
    const used_after = used - accepted + Math.min(accepted, preceding + received);
    return { received, used: used_after, quota: quotas.get(caller.game_id)!, month_ends_in_ms };
  });
}
