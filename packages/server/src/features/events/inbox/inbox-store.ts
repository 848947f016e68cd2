import { IDEMPOTENCY_DAYS } from '@overworld/contract/idempotency';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { encodeTextArray, rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { thisMonth } from '../usage-totals.ts';
import type { FirstAnswer, IncomingRequest, StoredRequest } from './incoming-requests.ts';

/** Returns a limit on the events that a game may store now, besides its quota; null without such a limit. */
type RoomOf = (caller: KeyCaller) => number | null;

interface Written {
  /** The answers to requests whose keys are known, by their place. */
  known: ReadonlyMap<number, FirstAnswer>;
  /** The outcomes of the other requests, in their order. */
  stored: readonly StoredRequest[];
}

/**
 * Counts requests against the quotas of their games and puts them into the inbox. The requests of a game use
 * up its quota one after the other. Of the request that would exceed the quota, only the first events are
 * accepted. Requests whose idempotency keys are known are left out. The keys of stored requests are
 * remembered for seven days. No two of the requests may have the same key.
 *
 * All this is one statement, so the counts are exact under any concurrency. On a cluster it is several
 * statements, and needs a transaction.
 * @throws the error of PostgreSQL about `event_idempotency_keys_pkey` when another
 * transaction has stored the key of one of these requests since the statement began,
 * or when such a key has expired but is still stored. Nothing is stored then.
 */
export async function storeRequests(
  database: Queryable,
  requests: readonly IncomingRequest[],
  roomOf: RoomOf = () => null,
): Promise<(StoredRequest | FirstAnswer)[]> {
  const store = database.formFor({ plain: storeAtOnce, cluster: storeInSteps });
  const { known, stored } = await store(database, requests, roomOf);
  const outcomes = stored.values();
  return requests.map((_request, place) => known.get(place) ?? outcomes.next().value!);
}

const hasKey = ({ idempotency }: IncomingRequest): boolean => idempotency !== null;

/**
 * Lists the callers of a batch, each once, because most requests of a batch have the same few API keys.
 * `numbers` has the place of each request's caller in the list, counted from 1. `quotas` has the quota of each
 * game. If requests of a game name different quotas, the last request decides.
 */
function findCallers(requests: readonly IncomingRequest[]) {
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

type Callers = ReturnType<typeof findCallers>;

/** SQL that gives the columns of a caller. The column `caller` contains the caller's place in the list. */
const callerColumns = ({ list }: Callers): Sql => sql`
  (${list.map(({ game_id }) => game_id)}::uuid[])[caller] AS game_id,
  (${list.map(({ environment }) => environment)}::environment[])[caller] AS environment,
  (${list.map(({ key_id }) => key_id)}::uuid[])[caller] AS key_id`;

const textsOf = (requests: readonly IncomingRequest[]) =>
  encodeTextArray(requests.map(({ text }) => text));
const keysOf = (requests: readonly IncomingRequest[]) =>
  encodeTextArray(requests.map(({ idempotency }) => idempotency?.key ?? null));
const hashesOf = (requests: readonly IncomingRequest[]) =>
  encodeTextArray(requests.map(({ idempotency }) => idempotency?.body_hash ?? null));

/** The events of each game, and the limits on those that may be accepted. */
function sumGames(requests: readonly IncomingRequest[], { quotas }: Callers, roomOf: RoomOf) {
  const games = new Map<string, { event_count: number; room: number }>();
  for (const { caller, event_count } of requests) {
    const before = games.get(caller.game_id)?.event_count ?? 0;
    games.set(caller.game_id, {
      event_count: before + event_count,
      room: roomOf(caller) ?? Infinity,
    });
  }
  return Array.from(games, ([game_id, { event_count, room }]) => ({
    game_id,
    event_count: Math.min(event_count, room),
    quota: quotas.get(game_id)!,
  }));
}

/** A game whose events were counted. */
interface CountedGame {
  game_id: string;
  /** The number of events of the game this month, with the accepted ones. */
  used: number;
  accepted: number;
  month_ends_in_ms: number;
}

/** Divides the accepted events of each game among its requests, in the order of the requests. */
function divideAccepted(
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

const ASKED = { game_id: 'uuid', event_count: 'bigint', quota: 'bigint' } as const;

/**
 * Makes a common table expression that counts events against the quotas of their
 * games, and tells how many events of each game were accepted. It locks the usage
 * rows of the games in the order of `game_id`, so that writers do not deadlock.
 * @param asked Rows of `game_id`, `event_count` and `quota`, one for each game.
 */
const countedGames = (asked: Sql): Sql => sql`
  counted AS (
    INSERT INTO event_usage AS usage (game_id, month, used, last_accepted, quota)
    SELECT game_id, ${thisMonth}, LEAST(event_count, quota), LEAST(event_count, quota), quota
    FROM ${asked}
    ORDER BY game_id
    ON CONFLICT (game_id, month) DO UPDATE
    SET used = usage.used + GREATEST(0, LEAST(EXCLUDED.used, EXCLUDED.quota - usage.used)),
        last_accepted = GREATEST(0, LEAST(EXCLUDED.used, EXCLUDED.quota - usage.used)),
        quota = EXCLUDED.quota
    RETURNING game_id, month, used, last_accepted
  )`;

const countedColumns = sql`
  game_id, used, last_accepted AS accepted,
  (extract(epoch FROM (month + interval '1 month') - now() AT TIME ZONE 'UTC') * 1000)
    ::float8 AS month_ends_in_ms`;

/** SQL for `fresh`, the requests to count, if none of them has an idempotency key. */
function freshWithoutKeys(requests: readonly IncomingRequest[], callers: Callers): Sql {
  const sums = new Map<string, number>();
  const preceding = requests.map(({ caller: { game_id }, event_count }) => {
    const before = sums.get(game_id) ?? 0;
    sums.set(game_id, before + event_count);
    return before;
  });
  return sql`
    fresh AS (
      SELECT ${callerColumns(callers)}, event_count, preceding, body, number
      FROM unnest(${callers.numbers}::integer[],
                  ${requests.map(({ event_count }) => event_count)}::integer[],
                  ${preceding}::bigint[], ${textsOf(requests)}::text[])
        WITH ORDINALITY AS request (caller, event_count, preceding, body, number)
    )`;
}

/** SQL for `known`, the requests with known keys, and for `fresh`, the others. */
const freshOfKeyed = (
  requests: readonly IncomingRequest[],
  callers: Callers,
  roomOf: RoomOf,
): Sql => sql`
  sent AS MATERIALIZED (
    SELECT ${callerColumns(callers)}, event_count, body, number,
           (${callers.list.map(({ first_key_id }) => first_key_id)}::uuid[])[caller] AS first_key_id,
           (${callers.list.map(({ game_id }) => callers.quotas.get(game_id)!)}::bigint[])[caller] AS quota,
           (${callers.list.map(roomOf)}::bigint[])[caller] AS room,
           idempotency_key, body_hash, warnings
    FROM unnest(${callers.numbers}::integer[],
                ${requests.map(({ event_count }) => event_count)}::integer[],
                ${textsOf(requests)}::text[], ${keysOf(requests)}::text[],
                ${hashesOf(requests)}::text[],
                ${encodeTextArray(requests.map(writeWarnings))}::text[])
      WITH ORDINALITY
      AS request (caller, event_count, body, idempotency_key, body_hash, warnings, number)
  ), known AS MATERIALIZED (
    SELECT sent.number, stored.body_hash, stored.answer
    FROM sent
    CROSS JOIN LATERAL (${answerOf(sql`sent.first_key_id`)}) AS stored
  ), fresh AS MATERIALIZED (
    SELECT *, sum(event_count) OVER (PARTITION BY game_id ORDER BY number) - event_count
      AS preceding
    FROM sent
    WHERE number NOT IN (SELECT number FROM known)
  )`;

/** SQL that finds the answer to the first request with the key of a row of `sent`. */
const answerOf = (key_id: Sql): Sql => sql`
  SELECT body_hash, answer FROM event_idempotency_keys AS stored
  WHERE stored.game_id = sent.game_id AND stored.key_id = ${key_id}
    AND stored.idempotency_key = sent.idempotency_key AND expires_at > now()
  OFFSET 0`;

const writeWarnings = ({ warnings, idempotency }: IncomingRequest): string | null =>
  warnings.length > 0 && idempotency !== null ? JSON.stringify(warnings) : null;

const remembered = sql`
  , remembered AS (
    INSERT INTO event_idempotency_keys
      (game_id, key_id, idempotency_key, body_hash, answer, created_at, expires_at)
    SELECT game_id, first_key_id, idempotency_key, body_hash,
           '{"received":' || received
           || ',"quota":{"remaining":' || GREATEST(0, quota - used)
           || ',"limit":' || quota || '}' || coalesce(',"warnings":' || warnings, '') || '}',
           now(), now() + make_interval(days => ${IDEMPOTENCY_DAYS})
    FROM accepted
    WHERE idempotency_key IS NOT NULL
    ORDER BY game_id, first_key_id, idempotency_key
  )`;

const andKnown = sql`
  , NULL::bigint AS number, NULL AS body_hash, NULL AS answer FROM counted
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, number, body_hash, answer FROM known`;

/** Stores requests in one statement. Its parts for keys would double its cost for requests without keys. */
async function storeAtOnce(
  database: Queryable,
  requests: readonly IncomingRequest[],
  roomOf: RoomOf,
): Promise<Written> {
  const callers = findCallers(requests);
  const isKeyed = requests.some(hasKey);
  const asked = isKeyed
    ? sql`
      (SELECT game_id, quota, LEAST(sum(event_count), room) AS event_count
       FROM fresh GROUP BY game_id, quota, room) AS asked`
    : rowsAs('asked', sumGames(requests, callers, roomOf), ASKED);
  type Row = (CountedGame & { number?: null }) | (FirstAnswer & { number: number });
  const rows = await database.query<Row>(sql`
    WITH ${isKeyed ? freshOfKeyed(requests, callers, roomOf) : freshWithoutKeys(requests, callers)},
    ${countedGames(asked)}, accepted AS (
      SELECT fresh.*, LEAST(event_count, last_accepted - preceding) AS received,
             used - last_accepted + LEAST(last_accepted, preceding + event_count) AS used
      FROM fresh
      JOIN counted USING (game_id)
      WHERE preceding < last_accepted
    ), stored AS (
      INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
      SELECT game_id, environment, key_id, now(), received, body
      FROM accepted
      ORDER BY number
    )${isKeyed ? remembered : sql``}
    SELECT ${countedColumns}${isKeyed ? andKnown : sql` FROM counted`}`);
  const known = new Map<number, FirstAnswer>();
  const counted: CountedGame[] = [];
  for (const row of rows) {
    if (typeof row.number === 'number') known.set(row.number - 1, row);
    else counted.push(row);
  }
  const fresh = requests.filter((_request, place) => !known.has(place));
  return { known, stored: divideAccepted(fresh, callers, counted) };
}

/**
 * Stores requests in several statements. A cluster runs each of them as a whole on the node of the group. It
 * would split the one statement of `storeAtOnce` into many.
 */
async function storeInSteps(
  tx: Queryable,
  requests: readonly IncomingRequest[],
  roomOf: RoomOf,
): Promise<Written> {
  const known = requests.some(hasKey) ? await findKnown(tx, requests) : new Map();
  const fresh = requests.filter((_request, place) => !known.has(place));
  if (fresh.length === 0) return { known, stored: [] };
  const callers = findCallers(fresh);
  const counted = await countGames(tx, sumGames(fresh, callers, roomOf));
  const stored = divideAccepted(fresh, callers, counted);
  const accepted = fresh
    .map((request, place) => ({ ...request, ...stored[place]! }))
    .filter(({ received }) => received > 0);
  const { received_at } = counted[0]!;
  if (accepted.length > 0) await insertTexts(tx, accepted, received_at);
  const keyed = accepted.filter(hasKey);
  if (keyed.length > 0) await remember(tx, keyed, received_at);
  return { known, stored };
}

type Accepted = IncomingRequest & StoredRequest;

const keyArrays = (requests: readonly IncomingRequest[]) => sql`
  ${requests.map(({ caller }) => caller.game_id)}::uuid[],
  ${requests.map(({ caller }) => caller.first_key_id)}::uuid[], ${keysOf(requests)}::text[]`;

async function findKnown(
  tx: Queryable,
  requests: readonly IncomingRequest[],
): Promise<Map<number, FirstAnswer>> {
  const rows = await tx.query<FirstAnswer & { number: number }>(sql`
    SELECT number, stored.body_hash, stored.answer
    FROM unnest(${keyArrays(requests)}) WITH ORDINALITY
      AS sent (game_id, key_id, idempotency_key, number)
    CROSS JOIN LATERAL (${answerOf(sql`sent.key_id`)}) AS stored`);
  return new Map(rows.map((row) => [row.number - 1, row]));
}

interface CountedNow extends CountedGame {
  /** The time of receipt. All games of a transaction have the same. */
  received_at: string;
}

/** Counts events against the quotas of games as `countedGames` does. */
async function countGames(
  tx: Queryable,
  games: ReturnType<typeof sumGames>,
): Promise<CountedNow[]> {
  const sorted = games.toSorted((a, b) => (a.game_id < b.game_id ? -1 : 1));
  const columns = sql`${countedColumns}, now() AS received_at`;
  const counted = await tx.query<CountedNow>(sql`
    WITH locked AS MATERIALIZED (
      SELECT asked.*, month, LEAST(event_count, asked.quota - used) AS room
      FROM ${rowsAs('asked', sorted, ASKED)}
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
    WITH ${countedGames(rowsAs('asked', others, ASKED))}
    SELECT ${columns} FROM counted`);
  return [...counted, ...first];
}

/**
 * An SQL condition that is true for each game whose events were counted. It reads a table of the group, so
 * that a cluster runs the insert on the node of the group.
 */
const isCounted = sql`EXISTS (
  SELECT FROM event_usage AS usage WHERE usage.game_id = sent.game_id)`;

async function insertTexts(
  tx: Queryable,
  accepted: readonly Accepted[],
  received_at: string,
): Promise<void> {
  const callers = findCallers(accepted);
  // A cluster takes values of a sequence where it plans a statement.
  const ids = await tx.query<{ id: number }>(sql`
    SELECT nextval('event_inbox_id_seq') AS id FROM generate_series(1, ${accepted.length}::integer)`);
  await tx.execute(sql`
    INSERT INTO event_inbox (game_id, id, environment, key_id, received_at, event_count, body)
    OVERRIDING SYSTEM VALUE
    SELECT sent.game_id, sent.id, sent.environment, sent.key_id, ${received_at}::timestamptz,
           sent.event_count, sent.body
    FROM (
      SELECT ${callerColumns(callers)}, id, event_count, body
      FROM unnest(${callers.numbers}::integer[], ${ids.map(({ id }) => id)}::bigint[],
                  ${accepted.map(({ received }) => received)}::integer[],
                  ${textsOf(accepted)}::text[])
        AS request (caller, id, event_count, body)
    ) AS sent
    WHERE ${isCounted}`);
}

/** Stores the answers of requests with keys. Each answer has the warnings of all events that were sent. */
async function remember(
  tx: Queryable,
  accepted: readonly Accepted[],
  received_at: string,
): Promise<void> {
  const expires_at = new Date(Date.parse(received_at) + IDEMPOTENCY_DAYS * 86_400_000);
  const answers = accepted.map(({ warnings, received, used, quota }) =>
    JSON.stringify({
      received,
      quota: { remaining: Math.max(0, quota - used), limit: quota },
      ...(warnings.length > 0 ? { warnings } : {}),
    }),
  );
  await tx.execute(sql`
    INSERT INTO event_idempotency_keys
      (game_id, key_id, idempotency_key, body_hash, answer, created_at, expires_at)
    SELECT sent.game_id, sent.key_id, sent.idempotency_key, sent.body_hash, sent.answer,
           ${received_at}::timestamptz, ${expires_at}::timestamptz
    FROM unnest(${keyArrays(accepted)}, ${hashesOf(accepted)}::text[],
                ${encodeTextArray(answers)}::text[])
      AS sent (game_id, key_id, idempotency_key, body_hash, answer)
    WHERE ${isCounted}`);
}
