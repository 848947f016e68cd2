import { channel } from 'node:diagnostics_channel';
import { isKnownRollback } from '../database/failure.ts';
import { overloaded, unavailable } from '../errors.ts';
import { createTurns } from './turns.ts';
import type { Database } from '../database/database.ts';
import { perGroup } from '../database/game-groups.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';

interface BatcherOptions<Request, Result> {
  /** The name of the queue in metrics and messages. */
  name: string;
  /** The most requests in one flush. */
  max_batch_size: number;
  /** The most requests that wait. Further requests are refused with 503, so memory does not grow. */
  max_queue_length: number;
  /**
   * Returns the game of a request. Games take turns. Without this function, all requests belong to one game.
   */
  gameOf?: (request: Request) => string;
  /** Limits the bytes of a batch and of the queue. Set this if a single request may be large. */
  bytes?: {
    of: (request: Request) => number;
    /** The most bytes in one flush. A larger request is flushed by itself. */
    max_batch: number;
    max_queue: number;
  };
  /**
   * The longest time for which a request waits for others. Set this if every flush is expensive, whatever its
   * size. Default: 0.
   */
  gather_ms?: number;
  /**
   * Counts the waiting requests of all batchers that share one limit. By default, each batcher has its own
   * limit.
   */
  queued?: { length: number; bytes: number };
  /**
   * Writes a batch. Resolves after the commit to one result per request, in the same order. An `Error` among
   * the results fails only its own request. A flush may throw only if nothing of the batch is stored; after a
   * partial commit it returns the error as the result of each request that is not stored.
   */
  flush: (requests: Request[]) => Promise<(Result | Error)[]>;
}

/** The part of a batcher that the metrics use. */
export interface ObservedBatcher {
  readonly name: string;
  readonly queue_length: number;
  /** Called after each flush that succeeded. */
  onFlush?: (batch_size: number, duration_ms: number) => void;
  /** Called when a flush fails, for all its requests, and for each request that finds the queue full. */
  onFailure?: (reason: 'flush_failed' | 'queue_full', requests: number) => void;
}

/** Announces each new batcher, so that metrics find it without help from the feature that made it. */
export const batcherCreated = channel('overworld:batcher-created');

interface Batcher<Request, Result> {
  /**
   * Resolves when the request is committed. Rejects with a 503 `ApiError` when the queue is full, or
   * when the request would wait for more than 0.4 s.
   */
  submit(request: Request): Promise<Result>;
  /** The number of requests that wait for a flush. */
  readonly queue_length: number;
  /** Refuses new requests, and resolves when all accepted requests are answered. */
  close(): Promise<void>;
}

/**
 * A request that would wait longer is refused. A client that is told to come back in a second is better
 * off than one that is answered after it has given up.
 */
const MAX_WAIT_MS = 400;

interface Waiting<Request, Result> {
  request: Request;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers concurrent requests into batches. While a flush is in flight, the next batch gathers. If
 * no flush is in flight, a request is flushed at once. An idle server thus adds no delay, and a busy
 * server makes larger batches. With `gather_ms`, each batch first gathers for some milliseconds. One
 * batch is flushed at a time. The requests of a game are flushed in the order in which they came.
 * Games take turns, so the requests of one game do not wait behind all requests of another game.
 *
 * When PostgreSQL refuses a batch, or a part of it, each refused request is retried by itself,
 * so that one bad request does not make the others fail. When the connection is lost, the outcome
 * is unknown: the whole batch fails without a retry, because a retry could write twice.
 */
export function createBatcher<Request, Result>(
  options: BatcherOptions<Request, Result>,
): Batcher<Request, Result> {
  const { gameOf = () => '', bytes, gather_ms = 0, queued = { length: 0, bytes: 0 } } = options;
  const queue = createTurns<Waiting<Request, Result>>({
    max_requests: options.max_batch_size,
    max_bytes: bytes?.max_batch ?? Infinity,
  });
  let flushing = false;
  let closed = false;
  let onIdle: (() => void) | undefined;
  /** The time at which the current flush began, or at which its batch began to gather. */
  let flush_started_at = 0;
  /** The time at which the queue was last empty. */
  let waiting_since = 0;
  let endGathering: (() => void) | undefined;
  /** Moving average of the duration of flushes. */
  let usual_flush_ms = 0;

  const observed: ObservedBatcher = {
    name: options.name,
    get queue_length() {
      return queue.length;
    },
  };
  batcherCreated.publish(observed);

  /**
   * Answers the requests of a flush, except those that PostgreSQL has refused together with others.
   * @returns the unanswered requests, each of which must be retried by itself.
   */
  const complete = (batch: Waiting<Request, Result>[], results: (Result | Error)[]) =>
    batch.filter((waiting, index) => {
      const result = results[index];
      if (batch.length > 1 && isKnownRollback(result)) return true;
      if (result instanceof Error) waiting.reject(result);
      else waiting.resolve(result as Result);
      return false;
    });

  const flushBatch = async (batch: Waiting<Request, Result>[]): Promise<void> => {
    const started = performance.now();
    try {
      const results = await options.flush(batch.map(({ request }) => request));
      if (results.length !== batch.length) {
        throw new Error(`${options.name}: ${results.length} results for ${batch.length} requests`);
      }
      observed.onFlush?.(batch.length, performance.now() - started);
      for (const waiting of complete(batch, results)) await flushBatch([waiting]);
    } catch (error) {
      if (batch.length > 1 && isKnownRollback(error)) {
        for (const waiting of batch) await flushBatch([waiting]);
      } else {
        observed.onFailure?.('flush_failed', batch.length);
        for (const waiting of batch) waiting.reject(error);
      }
    }
  };

  const takeBatch = () => {
    const bytes_before = queue.bytes;
    const batch = queue.takeBatch();
    queued.length -= batch.length;
    queued.bytes -= bytes_before - queue.bytes;
    return batch;
  };

  /** Waits until the batch is full, or its first request has waited long enough. */
  const gather = async () => {
    const left_ms = waiting_since + gather_ms - performance.now();
    if (left_ms <= 0 || queue.countBatches() >= 1 || closed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, left_ms);
    endGathering = resolve;
    await promise;
    clearTimeout(timer);
    endGathering = undefined;
  };

  const run = async () => {
    flushing = true;
    while (queue.length > 0) {
      flush_started_at = performance.now();
      if (gather_ms > 0) await gather();
      await flushBatch(takeBatch());
      usual_flush_ms += (performance.now() - flush_started_at - usual_flush_ms) / 4;
    }
    flushing = false;
    onIdle?.();
  };

  /** Tells whether a new request would wait too long. Returns false while less than a full batch waits. */
  const isTooLate = (game: string) => {
    if (queue.countBatches() < 1) return false;
    const under_way_ms = performance.now() - flush_started_at;
    return under_way_ms + queue.countBatchesBefore(game) * usual_flush_ms > MAX_WAIT_MS;
  };

  return {
    submit(request) {
      if (closed) return Promise.reject(unavailable('The server is shutting down'));
      const game = gameOf(request);
      const request_bytes = bytes === undefined ? 0 : bytes.of(request);
      if (
        queued.length >= options.max_queue_length ||
        isTooLate(game) ||
        (bytes !== undefined && queued.bytes + request_bytes > bytes.max_queue)
      ) {
        observed.onFailure?.('queue_full', 1);
        return Promise.reject(overloaded());
      }
      return new Promise<Result>((resolve, reject) => {
        if (gather_ms > 0 && queue.length === 0) waiting_since = performance.now();
        queue.add(game, { request, bytes: request_bytes, resolve, reject });
        queued.length += 1;
        queued.bytes += request_bytes;
        if (!flushing) void run();
        else if (endGathering !== undefined && queue.countBatches() >= 1) endGathering();
      });
    },
    get queue_length() {
      return queue.length;
    },
    async close() {
      closed = true;
      endGathering?.();
      if (flushing) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

interface GroupBatcherOptions<Request, Result> extends Omit<
  BatcherOptions<Request, Result>,
  'gameOf' | 'flush' | 'gather_ms' | 'queued'
> {
  gameOf: (request: Request) => string;
  /** The same as `flush` of a batcher, for a batch of requests whose games are all in one group. */
  flush: (database: Database, requests: Request[]) => Promise<(Result | Error)[]>;
}

export type GroupBatcher<Request, Result> = Pick<Batcher<Request, Result>, 'submit' | 'close'>;

/**
 * The time for which requests for a cluster are gathered into one statement. A cluster
 * takes milliseconds to plan a statement, however many requests the statement serves.
 */
const GATHER_MS = 5;

/**
 * Makes a batcher for each group of games, because a statement is about the games of one group. The groups do
 * not wait for each other. The limits of the queue apply to all groups together, because they limit memory.
 */
export function createGroupBatcher<Request, Result>(
  database: GroupedDatabase,
  options: GroupBatcherOptions<Request, Result>,
): GroupBatcher<Request, Result> {
  const { gameOf, flush } = options;
  const queued = { length: 0, bytes: 0 };
  const batchers = perGroup(database, (group) =>
    createBatcher<Request, Result>({
      ...options,
      queued,
      gather_ms: group.formFor({ plain: 0, cluster: GATHER_MS }),
      flush: (requests) => flush(group, requests),
    }),
  );
  return {
    submit: (request) => batchers.ofGame(gameOf(request)).submit(request),
    async close() {
      await Promise.all(batchers.all.map((batcher) => batcher.close()));
    },
  };
}

/** Requests of a batch that are decided together, in the order in which they came. */
export interface RequestGroup<Request> {
  name: string;
  requests: Request[];
  /** The place of each request in the batch. */
  places: number[];
}

/** The result of each request, in the order of the requests in the batch. */
export type BatchResults<Result> = (Result | Error)[];

/** Groups the requests for which `nameOf` returns the same text. Keeps the order of the first requests. */
export function groupRequests<Request>(
  requests: readonly Request[],
  nameOf: (request: Request) => string,
): RequestGroup<Request>[] {
  const groups = new Map<string, RequestGroup<Request>>();
  requests.forEach((request, place) => {
    const name = nameOf(request);
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, { name, requests: [request], places: [place] });
    } else {
      group.requests.push(request);
      group.places.push(place);
    }
  });
  return [...groups.values()];
}

/**
 * Flushes a batch that takes several rounds, for example
 * because another server has changed the same data first.
 * @param work Does one round: fills in results, and returns the groups that need another round.
 * @returns a result for each of `count` requests. When a later round fails, the
 * requests without a result get the error of that round. The other requests of
 * the batch are already committed, so the batch has not failed as a whole.
 * @throws the error of a round that fails before any request has a result.
 */
export async function answerInRounds<Group, Result>(
  count: number,
  groups: Group[],
  work: (open: Group[], results: BatchResults<Result>, round: number) => Promise<Group[]>,
): Promise<BatchResults<Result>> {
  const results: BatchResults<Result> = [];
  try {
    let open = groups;
    for (let round = 0; open.length > 0; round++) open = await work(open, results, round);
  } catch (error) {
    if (results.length === 0) throw error;
    for (let place = 0; place < count; place++) {
      if (results[place] === undefined) results[place] = error as Error;
    }
  }
  return results;
}
