import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';
import { thisMonth } from '../usage-totals.ts';
import {
  callerColumns,
  countedColumns,
  countedGames,
  findCallers,
  insertRequests,
  shareAccepted,
} from './inbox-store.ts';
import type { CountedGame, IncomingRequest, StoredRequest } from './inbox-store.ts';

/** Counts and stores requests as `insertRequests` does. */
export const storeRequests = (
  database: Database,
  requests: readonly IncomingRequest[],
): Promise<StoredRequest[]> =>
  database.is_spread
    ? database.transaction(async (tx) => (await insertInSteps(tx, requests)).stored)
    : insertRequests(database, requests);

/**
 * Counts and stores requests as `insertRequests` does, but in several statements of one transaction. A Citus
 * cluster runs each of these statements as a whole on the node of the group. In contrast, it would split the
 * single statement of `insertRequests` into many.
 * @param roomOf Returns a limit on the number of events that the caller's game may store now; null if there
 * is no such limit. The limit applies in addition to the game's quota.
 */
export async function insertInSteps(
  tx: Queryable,
  requests: readonly IncomingRequest[],
  roomOf: RoomOf = () => null,
): Promise<{ stored: StoredRequest[]; received_at: string }> {
  const callers = findCallers(requests);
  const asked = new Map<string, AskedGame>();
  for (const { caller, event_count } of requests) {
    const { game_id } = caller;
    const before = asked.get(game_id)?.event_count ?? 0;
    const room = roomOf(caller) ?? Infinity;
    const quota = callers.quotas.get(game_id)!;
    asked.set(game_id, { game_id, quota, room, event_count: before + event_count });
  }
  const counted = await countGames(tx, [...asked.values()]);
  const stored = shareAccepted(requests, callers, counted);
  const { received_at } = counted[0]!;
  await insertTexts(tx, requests, stored, received_at);
  return { stored, received_at };
}

type RoomOf = (caller: KeyCaller) => number | null;

interface AskedGame {
  game_id: string;
  event_count: number;
  quota: number;
  /** The maximum number of events to accept from the game now. */
  room: number;
}

interface CountedNow extends CountedGame {
  /** The time of receipt. All games of a transaction have the same. */
  received_at: string;
}

/** Counts events against the quotas of games as `countedGames` does. */
async function countGames(tx: Queryable, games: readonly AskedGame[]): Promise<CountedNow[]> {
  const sorted = games
    .map(({ room, event_count, ...game }) => ({
      ...game,
      event_count: Math.min(room, event_count),
    }))
    .toSorted((a, b) => (a.game_id < b.game_id ? -1 : 1));
  const types = { game_id: 'uuid', event_count: 'bigint', quota: 'bigint' } as const;
  const columns = sql`${countedColumns}, now() AS received_at`;
  const counted = await tx.query<CountedNow>(sql`
    WITH locked AS MATERIALIZED (
      SELECT asked.*, month, LEAST(event_count, asked.quota - used) AS room
      FROM ${rowsAs('asked', sorted, types)}
      CROSS JOIN LATERAL (
        SELECT month, used FROM event_usage AS usage
        WHERE usage.game_id = asked.game_id AND month = ${thisMonth}
        OFFSET 0
        FOR NO KEY UPDATE
      ) AS usage
    ), counted AS (
      UPDATE event_usage AS usage
      SET used = used + GREATEST(0, room), last_accepted = GREATEST(0, room), quota = locked.quota
      FROM locked
      WHERE usage.game_id = locked.game_id AND usage.month = locked.month
      RETURNING usage.game_id, usage.month, used, last_accepted
    )
    SELECT ${columns} FROM counted`);
  const known = new Set(counted.map(({ game_id }) => game_id));
  const others = sorted.filter(({ game_id }) => !known.has(game_id));
  if (others.length === 0) return counted;
  // These games have no usage row for this month yet.
  const first = await tx.query<CountedNow>(sql`
    WITH ${countedGames(rowsAs('asked', others, types))}
    SELECT ${columns} FROM counted`);
  return [...counted, ...first];
}

/**
 * An SQL condition that is true for each game whose events were counted. It reads a table of the group, so
 * that a cluster runs the insert on the node of the group.
 */
export const isCounted = sql`EXISTS (
  SELECT FROM event_usage AS usage WHERE usage.game_id = sent.game_id)`;

async function insertTexts(
  tx: Queryable,
  requests: readonly IncomingRequest[],
  stored: readonly StoredRequest[],
  received_at: string,
): Promise<void> {
  const places = requests.flatMap((_request, place) =>
    stored[place]!.received > 0 ? [place] : [],
  );
  if (places.length === 0) return;
  const accepted = places.map((place) => requests[place]!);
  const callers = findCallers(accepted);
  const ids = await takeIds(tx, accepted.length);
  await tx.execute(sql`
    INSERT INTO event_inbox (game_id, id, environment, key_id, received_at, event_count, body)
    OVERRIDING SYSTEM VALUE
    SELECT sent.game_id, sent.id, sent.environment, sent.key_id, ${received_at}::timestamptz,
           sent.event_count, sent.body
    FROM (
      SELECT ${callerColumns(callers)}, id, event_count, body
      FROM unnest(${callers.numbers}::integer[], ${ids}::bigint[],
                  ${places.map((place) => stored[place]!.received)}::integer[],
                  ${encodeTextArray(accepted.map(({ text }) => text))}::text[])
        AS request (caller, id, event_count, body)
    ) AS sent
    WHERE ${isCounted}`);
}

/** Takes ids for new rows of the inbox, in ascending order. */
async function takeIds(tx: Queryable, count: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    SELECT nextval('event_inbox_id_seq') AS id FROM generate_series(1, ${count}::integer)`);
  return rows.map(({ id }) => id);
}
