import { IDEMPOTENCY_DAYS } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';
import type { IncomingRequest, StoredRequest } from './inbox-store.ts';
import type { FirstAnswer } from './new-request-store.ts';
import { insertInSteps, isCounted } from './steps.ts';

/** Stores requests as `insertNewRequests` does, in several statements of one transaction. */
export async function insertNewInSteps(
  tx: Queryable,
  requests: readonly IncomingRequest[],
  roomOf: (caller: KeyCaller) => number | null,
): Promise<(StoredRequest | FirstAnswer)[]> {
  const known = await findKnown(tx, requests);
  const fresh = requests.filter((_request, index) => !known.has(index));
  if (fresh.length === 0) return requests.map((_request, index) => known.get(index)!);
  const { stored, received_at } = await insertInSteps(tx, fresh, roomOf);
  await remember(tx, fresh, stored, received_at);
  const outcomes = stored.values();
  return requests.map((_request, index) => known.get(index) ?? outcomes.next().value!);
}

const keyArrays = (requests: readonly IncomingRequest[]) => sql`
  ${requests.map(({ caller }) => caller.game_id)}::uuid[],
  ${requests.map(({ caller }) => caller.first_key_id)}::uuid[],
  ${encodeTextArray(requests.map(({ idempotency }) => idempotency?.key ?? null))}::text[]`;

async function findKnown(
  tx: Queryable,
  requests: readonly IncomingRequest[],
): Promise<Map<number, FirstAnswer>> {
  const rows = await tx.query<FirstAnswer & { number: number }>(sql`
    SELECT number, stored.body_hash, stored.answer
    FROM unnest(${keyArrays(requests)}) WITH ORDINALITY
      AS sent (game_id, key_id, idempotency_key, number)
    CROSS JOIN LATERAL (
      SELECT body_hash, answer FROM event_idempotency_keys AS stored
      WHERE stored.game_id = sent.game_id AND stored.key_id = sent.key_id
        AND stored.idempotency_key = sent.idempotency_key AND expires_at > now()
      OFFSET 0
    ) AS stored`);
  return new Map(rows.map((row) => [row.number - 1, row]));
}

/** Stores the answers of requests with keys. Each answer has the warnings of all events that were sent. */
async function remember(
  tx: Queryable,
  requests: readonly IncomingRequest[],
  stored: readonly StoredRequest[],
  received_at: string,
): Promise<void> {
  const answered = requests
    .map((request, place) => ({ request, ...stored[place]! }))
    .filter(({ request, received }) => request.idempotency !== null && received > 0);
  if (answered.length === 0) return;
  const expires_at = new Date(Date.parse(received_at) + IDEMPOTENCY_DAYS * 86_400_000);
  const sent = answered.map(({ request }) => request);
  const answers = answered.map(({ request: { warnings }, received, used, quota }) =>
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
    FROM unnest(${keyArrays(sent)},
                ${encodeTextArray(sent.map(({ idempotency }) => idempotency!.body_hash))}::text[],
                ${encodeTextArray(answers)}::text[])
      AS sent (game_id, key_id, idempotency_key, body_hash, answer)
    WHERE ${isCounted}`);
}
