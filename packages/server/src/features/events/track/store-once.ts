import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/failure.ts';
import { ApiError, badRequest, overloaded } from '../../../platform/errors.ts';
import type { OnTrackProblem } from '../../../platform/track-problem.ts';
import { storeRequests } from '../inbox/inbox-store.ts';
import type { Idempotency } from '../../../platform/http/idempotency.ts';
import type { FirstAnswer, IncomingRequest, StoredRequest } from '../inbox/incoming-requests.ts';
import { deleteExpiredNames, findKnownRequest } from './idempotency-store.ts';
import type { RequestName } from './idempotency-store.ts';
import type { EventViolation, trackEvents } from '@overworld/contract/events/track';
import type { SuccessOf } from '@overworld/contract/operation';

/**
 * The maximum number of attempts to store a batch. If another statement stores an idempotency key of the
 * batch during an attempt, the next attempt finds that key. So a third attempt is rare.
 */
const MAX_ATTEMPTS = 10;

/**
 * Finds the answer to an earlier request with this idempotency key, if that request came in the last seven
 * days. Reports the events of this request as repeated. Returns null if the request has no key or if its key
 * is new.
 * @throws ApiError 400 when the key was used with another body.
 */
export async function findFirstAnswer(
  database: Queryable,
  caller: KeyCaller,
  idempotency: Idempotency | null,
  onProblem: OnTrackProblem,
): Promise<TrackAnswer | null> {
  if (idempotency === null) return null;
  const first = await findKnownRequest(database, nameRequest(caller, idempotency));
  if (first === null) return null;
  const answer = repeatAnswer(first, idempotency);
  if (answer instanceof Error) throw answer;
  reportEvents(onProblem, caller, 'repeated', answer.received);
  return answer;
}

/**
 * Stores the requests whose idempotency keys are new. Each other request gets the answer to the first request
 * with its key. While a statement locks the usage row of a game, no other statement can store keys of that
 * game. If another statement has stored a key between the look-up and the lock, the insert violates the
 * primary key, and a new attempt begins.
 * @param insert Counts and stores requests with different keys, in one transaction.
 * @throws ApiError 503 when every attempt violates the primary key. Nothing is stored then.
 */
export async function storeOnce(
  database: Database,
  requests: readonly IncomingRequest[],
  insert: Insert = (firsts) => database.runAtomically((tx) => storeRequests(tx, firsts)),
): Promise<Outcome[]> {
  const { firsts, places } = findFirsts(requests);
  const stored = await storeFirsts(database, firsts, insert);
  const outcomes = firsts.map((request, index): Outcome => {
    const result = stored[index]!;
    if (!('answer' in result)) return toOutcome(request, result);
    return { answer: repeatAnswer(result, request.idempotency!), stored: null };
  });
  return requests.map((request, index) => {
    const place = places[index]!;
    const [first, outcome] = [firsts[place]!, outcomes[place]!];
    if (first === request) return outcome;
    return { answer: repeatInBatch(request, first, stored[place]!, outcome.answer), stored: null };
  });
}

type Insert = (requests: readonly IncomingRequest[]) => Promise<(StoredRequest | FirstAnswer)[]>;

async function storeFirsts(
  database: Database,
  requests: readonly IncomingRequest[],
  insert: Insert,
) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await insert(requests);
    } catch (error) {
      if (!isKeyTaken(error)) throw error;
      // The row of a key may still exist more than seven days after its use. The insert violates the primary
      // key then too.
      await deleteExpiredNames(
        database,
        requests.flatMap(({ caller, idempotency }) =>
          idempotency === null ? [] : [nameRequest(caller, idempotency)],
        ),
      );
    }
  }
  throw overloaded();
}

const isKeyTaken = (error: unknown): boolean => violates(error, 'event_idempotency_keys_pkey');

/**
 * Lists in `firsts` the first request with each key, and all requests without a key. For each request,
 * `places` gives the request whose answer it gets, as an index in `firsts`.
 */
function findFirsts(requests: readonly IncomingRequest[]) {
  const firsts: IncomingRequest[] = [];
  const named = new Map<string, number>();
  const places = requests.map((request) => {
    const { caller, idempotency } = request;
    if (idempotency === null) return firsts.push(request) - 1;
    const name = `${caller.first_key_id} ${idempotency.key}`;
    const known = named.get(name);
    if (known !== undefined) return known;
    named.set(name, firsts.length);
    return firsts.push(request) - 1;
  });
  return { firsts, places };
}

/** Answers a request whose key an earlier request of the same batch has too. */
function repeatInBatch(
  { idempotency }: IncomingRequest,
  first: IncomingRequest,
  result: StoredRequest | FirstAnswer,
  answer: TrackAnswer | ApiError,
): TrackAnswer | ApiError {
  if ('answer' in result) return repeatAnswer(result, idempotency!);
  // The first request was refused because the quota is used up. This request gets the same error.
  if (answer instanceof ApiError) return answer;
  const { body_hash } = first.idempotency!;
  return repeatAnswer({ body_hash, answer: JSON.stringify(answer) }, idempotency!);
}

const nameRequest = (caller: KeyCaller, { key }: Idempotency): RequestName => ({
  game_id: caller.game_id,
  key_id: caller.first_key_id,
  idempotency_key: key,
});

/** The answer to events that were stored. */
export type TrackAnswer = SuccessOf<typeof trackEvents>;

/**
 * The answer to a request, and the part of the request that was stored. `stored` is null if this request
 * repeats an earlier request.
 */
export interface Outcome {
  answer: TrackAnswer | ApiError;
  stored: StoredRequest | null;
}

/** Makes the outcome of a request that was not a repetition. */
export function toOutcome({ warnings }: IncomingRequest, stored: StoredRequest): Outcome {
  const { received, used, quota } = stored;
  if (received === 0) return { answer: quotaExceeded(used, quota), stored };
  const answer = { received, quota: { remaining: Math.max(0, quota - used), limit: quota } };
  return { answer: showWarnings({ ...answer, warnings: [...warnings] }), stored };
}

/**
 * Makes the answer to a request with a known idempotency key. It is the answer to the first request with this
 * key, or the error 400 if the first request had another body.
 */
const repeatAnswer = (first: FirstAnswer, { body_hash }: Idempotency): TrackAnswer | ApiError =>
  first.body_hash === body_hash
    ? showWarnings(JSON.parse(first.answer) as TrackAnswer)
    : badRequest('Idempotency-Key was already used with another body');

/** Leaves out the warnings about events that were not stored. */
function showWarnings({ warnings = [], ...answer }: TrackAnswer): TrackAnswer {
  const shown = warnings.filter(({ index }) => index < answer.received);
  return shown.length > 0 ? { ...answer, warnings: shown } : answer;
}

const QUOTA_EXCEEDED = 'Monthly event quota exceeded';

export const quotaExceeded = (current: number, limit: number) =>
  new ApiError(429, QUOTA_EXCEEDED, { quota: { current, limit, remaining: 0 } });

/** The error 429 for an environment that has used up its share of the quota. */
export function shareExceeded({ environment, environment_quota }: KeyCaller, used: number) {
  const limit = environment_quota!;
  const message = `Keys of ${environment} may use ${limit} events of the game's monthly quota, and have used them`;
  return new ApiError(429, QUOTA_EXCEEDED, {
    message,
    quota: { current: used, limit, remaining: 0 },
  });
}

/** Reports each event that breaks its schema once, however many problems it has. */
export function reportSchemaProblems(
  tell: OnTrackProblem,
  caller: KeyCaller,
  kind: 'warned' | 'refused',
  violations: readonly EventViolation[],
): void {
  const names = new Map(violations.map(({ index, event_name }) => [index, event_name ?? '']));
  for (const event_name of names.values()) {
    tell({ ...nameKey(caller), event_name, kind, event_count: 1 });
  }
}

/** Reports events that are malformed or were stored before. */
export function reportEvents(
  tell: OnTrackProblem,
  caller: KeyCaller,
  kind: 'refused' | 'repeated',
  event_count: number,
): void {
  if (event_count > 0) tell({ ...nameKey(caller), event_name: '', kind, event_count });
}

const nameKey = ({ game_id, environment, key_id }: KeyCaller) => ({ game_id, environment, key_id });
