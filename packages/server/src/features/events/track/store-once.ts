import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { ApiError, badRequest, unavailable } from '../../../platform/errors.ts';
import type { OnTrackProblem } from '../../../platform/track-problem.ts';
import { insertKnownRequests, listKnownRequests } from './idempotency-store.ts';
import type { RequestName } from './idempotency-store.ts';
import { insertRequests } from '../inbox/inbox-store.ts';
import { toOutcome } from './track-answer.ts';
import { reportEvents } from './track-problems.ts';
import type { Idempotency, Outcome, TrackAnswer, WriteRequest } from './track-answer.ts';

/** An overtaken batch finds the key at its next look-up, so that a third attempt is rare. */
const MAX_ATTEMPTS = 10;

/** The answer to a request when it was stored. */
interface FirstAnswer {
  body_hash: string;
  /** JSON text. */
  answer: string;
}

/**
 * The answer to a request with this key in the last seven days, which is reported as repeated; null
 * when the request has no key or a new one.
 * @throws ApiError 400 when the key was used with another body.
 */
export async function findFirstAnswer(
  database: Queryable,
  caller: KeyCaller,
  idempotency: Idempotency | null,
  onProblem: OnTrackProblem,
): Promise<TrackAnswer | null> {
  if (idempotency === null) return null;
  const [known] = await listKnownRequests(database, [nameRequest(caller, idempotency)]);
  if (known === undefined) return null;
  const answer = repeat(known, idempotency);
  if (answer instanceof Error) throw answer;
  reportEvents(onProblem, caller, 'repeated', answer.received);
  return answer;
}

/**
 * Stores the requests whose keys are new, and repeats the first answers to the others. While the
 * transaction holds the usage row of a game, no other transaction can store keys of that game. A
 * transaction that stored one between the look-up and the lock is noticed when the keys are
 * inserted; then everything is done again.
 * @throws ApiError 503 when that happens again and again. Nothing is stored then.
 */
export async function storeOnce(
  database: Database,
  requests: readonly WriteRequest[],
): Promise<Outcome[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await database.transaction((tx) => storeUnknown(tx, requests));
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error;
    }
  }
  throw unavailable('The server is overloaded, try again in a second');
}

class KeyTakenError extends Error {}

async function storeUnknown(tx: Queryable, requests: readonly WriteRequest[]): Promise<Outcome[]> {
  const first_answers = await listFirstAnswers(tx, requests);
  const { fresh, repeats } = partition(requests, first_answers);
  const stored = fresh.length === 0 ? [] : await insertRequests(tx, fresh);
  const outcomes = new Map(
    fresh.map((request, index) => [request, toOutcome(request, stored[index]!)]),
  );
  const refusals = new Map<string, ApiError>();
  const answered = [];
  for (const [{ caller, idempotency }, { answer }] of outcomes) {
    if (idempotency === null) continue;
    const name = nameRequest(caller, idempotency);
    if (answer instanceof ApiError) {
      refusals.set(nameText(name), answer);
    } else {
      const first = { body_hash: idempotency.body_hash, answer: JSON.stringify(answer) };
      first_answers.set(nameText(name), first);
      answered.push({ ...name, ...first });
    }
  }
  if (answered.length > 0 && !(await insertKnownRequests(tx, answered))) throw new KeyTakenError();

  for (const request of repeats) {
    const idempotency = request.idempotency!;
    const text = nameText(nameRequest(request.caller, idempotency));
    const first = first_answers.get(text);
    const answer = first ? repeat(first, idempotency) : refusals.get(text)!;
    outcomes.set(request, { answer, stored: null });
  }
  return requests.map((request) => outcomes.get(request)!);
}

async function listFirstAnswers(tx: Queryable, requests: readonly WriteRequest[]) {
  const names = requests.flatMap(({ caller, idempotency }) =>
    idempotency === null ? [] : [nameRequest(caller, idempotency)],
  );
  const known = await listKnownRequests(tx, names);
  return new Map<string, FirstAnswer>(known.map((row) => [nameText(row), row]));
}

/** The first of several requests with one new key is stored; the others repeat its answer. */
function partition(
  requests: readonly WriteRequest[],
  known: ReadonlyMap<string, FirstAnswer>,
): { fresh: WriteRequest[]; repeats: WriteRequest[] } {
  const fresh: WriteRequest[] = [];
  const repeats: WriteRequest[] = [];
  const named = new Set(known.keys());
  for (const request of requests) {
    const { caller, idempotency } = request;
    const text = idempotency && nameText(nameRequest(caller, idempotency));
    if (text !== null && named.has(text)) {
      repeats.push(request);
    } else {
      fresh.push(request);
      if (text !== null) named.add(text);
    }
  }
  return { fresh, repeats };
}

const nameRequest = (caller: KeyCaller, { key }: Idempotency): RequestName => ({
  game_id: caller.game_id,
  key_id: caller.first_key_id,
  idempotency_key: key,
});

const nameText = ({ key_id, idempotency_key }: RequestName) => `${key_id} ${idempotency_key}`;

const repeat = (first: FirstAnswer, { body_hash }: Idempotency): TrackAnswer | ApiError =>
  first.body_hash === body_hash
    ? (JSON.parse(first.answer) as TrackAnswer)
    : badRequest('Idempotency-Key was already used with another body');
