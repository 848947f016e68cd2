import { IDEMPOTENCY_DAYS } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';
import {
  callerColumns,
  countedColumns,
  countedGames,
  findCallers,
  shareAccepted,
} from './inbox-store.ts';
import type { CountedGame, IncomingRequest, StoredRequest } from './inbox-store.ts';
import { insertNewInSteps } from './new-request-steps.ts';

/** The answer that an earlier request with the same key got. */
export interface FirstAnswer {
  body_hash: string;
  /** JSON text, with the warnings of all events that were sent. */
  answer: string;
}

interface KnownRow extends FirstAnswer {
  number: number;
}

/**
 * Counts and stores requests as `insertRequests` does, but leaves out requests whose idempotency keys are
 * known. Remembers the keys of the stored requests for seven days. All this is one statement; on a cluster
 * it is several statements, and needs a transaction. No two of the requests may have the same key.
 * @param roomOf Returns the number of events that the caller's game may store
 * now, a limit in addition to the game's quota; null if there is no such limit.
 * @throws the error of PostgreSQL about `event_idempotency_keys_pkey` when another
 * transaction has stored the key of one of these requests since the statement began,
 * or when such a key has expired but is still stored. Nothing is stored then.
 */
export async function insertNewRequests(
  database: Queryable,
  requests: readonly IncomingRequest[],
  roomOf: (caller: KeyCaller) => number | null = () => null,
): Promise<(StoredRequest | FirstAnswer)[]> {
  if (database.is_spread) return insertNewInSteps(database, requests, roomOf);
  const callers = findCallers(requests);
  const { list, numbers, quotas } = callers;
  const rows = await database.query<(CountedGame & { number: null }) | KnownRow>(sql`
    WITH sent AS MATERIALIZED (
      SELECT ${callerColumns(callers)}, event_count, body, number,
             (${list.map(({ first_key_id }) => first_key_id)}::uuid[])[caller] AS first_key_id,
             (${list.map(({ game_id }) => quotas.get(game_id)!)}::bigint[])[caller] AS quota,
             (${list.map(roomOf)}::bigint[])[caller] AS room,
             idempotency_key, body_hash, warnings
      FROM unnest(${numbers}::integer[],
                  ${requests.map(({ event_count }) => event_count)}::integer[],
                  ${encodeTextArray(requests.map(({ text }) => text))}::text[],
                  ${encodeTextArray(requests.map(({ idempotency }) => idempotency?.key ?? null))}::text[],
                  ${encodeTextArray(requests.map(({ idempotency }) => idempotency?.body_hash ?? null))}::text[],
                  ${encodeTextArray(requests.map(writeWarnings))}::text[])
        WITH ORDINALITY
        AS request (caller, event_count, body, idempotency_key, body_hash, warnings, number)
    ), known AS MATERIALIZED (
      SELECT sent.number, stored.body_hash, stored.answer
      FROM sent
      CROSS JOIN LATERAL (
        SELECT body_hash, answer FROM event_idempotency_keys AS stored
        WHERE stored.game_id = sent.game_id AND stored.key_id = sent.first_key_id
          AND stored.idempotency_key = sent.idempotency_key AND expires_at > now()
        OFFSET 0
      ) AS stored
    ), fresh AS MATERIALIZED (
      SELECT *, sum(event_count) OVER (PARTITION BY game_id ORDER BY number) - event_count
        AS preceding
      FROM sent
      WHERE number NOT IN (SELECT number FROM known)
    ), ${countedGames(sql`
      (SELECT game_id, quota, LEAST(sum(event_count), room) AS event_count
       FROM fresh GROUP BY game_id, quota, room) AS asked`)},
    accepted AS MATERIALIZED (
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
    ), remembered AS (
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
    )
    SELECT ${countedColumns}, NULL::bigint AS number, NULL AS body_hash, NULL AS answer
    FROM counted
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, number, body_hash, answer FROM known`);

  const known = new Map<number, FirstAnswer>();
  const counted: CountedGame[] = [];
  for (const row of rows) {
    if (row.number === null) counted.push(row);
    else known.set(row.number - 1, row);
  }
  const fresh = requests.filter((_request, index) => !known.has(index));
  const stored = shareAccepted(fresh, callers, counted).values();
  return requests.map((_request, index) => known.get(index) ?? stored.next().value!);
}

const writeWarnings = ({ warnings, idempotency }: IncomingRequest): string | null =>
  warnings.length > 0 && idempotency !== null ? JSON.stringify(warnings) : null;
