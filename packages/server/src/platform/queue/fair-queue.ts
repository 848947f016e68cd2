import { channel } from 'node:diagnostics_channel';
import { unavailable } from '../errors.ts';
import {
  count,
  findLargest,
  forgetIdle,
  makeOwner,
  mayRun,
  moveToEnd,
  pathOf,
  takeTurn,
} from './owners.ts';
import type { Owner, OwnerLimit, Waiter } from './owners.ts';

export interface FairQueueOptions {
  /** Names the queue in metrics. */
  name: string;
  /** The number of callers that may have a slot at the same time. */
  slots: number;
  /** The number of callers, of all owners together, that may wait. */
  max_waiting: number;
  /** Work that has waited this long is refused. */
  deadline_ms: number;
  /**
   * The limit for each part of an owner's path, such as one for a network and
   * one for an account in the network.
   */
  limits: readonly OwnerLimit[];
  /** The error text of a refusal. It tells the caller the reason and the way out. */
  refusal: string;
}

/**
 * The owner of work, from the widest part to the narrowest, such as `[network, account_id]`. The path has
 * as many parts as the queue has limits.
 */
export type OwnerPath = readonly string[];

/** Gives a slot back; a second call does nothing. */
export type Release = () => void;

/** A queue as metrics see it. */
export interface ObservedFairQueue {
  readonly name: string;
  readonly waiting: number;
  /** Called for each refusal. */
  onRefused?: () => void;
}

/** Announces each new queue, so that features need not pass their queues to the metrics. */
export const fairQueueCreated = channel('overworld:fair-queue-created');

/**
 * Makes a queue for work that needs a scarce resource. Owners of work are served in turn, not in the order
 * of arrival. Each turn goes to the next network, within this network to the next account, and there to the
 * work that has waited longest. However much work one owner has, it delays every other owner by only one
 * turn. A full queue refuses the newest work of the owner with the most waiting work, never the work of a
 * newcomer with less.
 */
export function createFairQueue(options: FairQueueOptions) {
  const { name, slots, max_waiting, deadline_ms, limits, refusal } = options;
  const all = makeOwner(null, '', { max_running: slots, max_waiting });
  const observed: ObservedFairQueue = {
    name,
    get waiting() {
      return all.waiting;
    },
  };
  fairQueueCreated.publish(observed);
  const retry_after_s = Math.max(1, Math.round(deadline_ms / 1_000));

  const refused = () => {
    observed.onRefused?.();
    return unavailable(refusal, undefined, retry_after_s);
  };

  const releaseOnce = (owner: Owner): Release => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      count(owner, 'running', -1);
      forgetIdle(owner);
      startNext();
    };
  };

  const startNext = () => {
    for (;;) {
      const owner = takeTurn(all);
      if (owner === null) return;
      const [waiter] = owner.waiters;
      waiter!.start();
    }
  };

  const findOwner = (path: OwnerPath): Owner => {
    if (path.length !== limits.length) {
      throw new Error(`An owner of ${name} has ${limits.length} parts`);
    }
    let owner = all;
    for (const [depth, part] of path.entries()) {
      let child = owner.parts.get(part);
      if (child === undefined) {
        child = makeOwner(owner, part, limits[depth]!);
        owner.parts.set(part, child);
      }
      owner = child;
    }
    return owner;
  };

  const wait = (owner: Owner, signal: AbortSignal | undefined) =>
    new Promise<Release>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        owner.waiters.delete(waiter);
        count(owner, 'waiting', -1);
      };
      const fail = (error: unknown) => {
        leave();
        forgetIdle(owner);
        reject(error);
      };
      const waiter: Waiter = {
        start() {
          leave();
          count(owner, 'running', 1);
          resolve(releaseOnce(owner));
        },
        refuse: () => fail(refused()),
      };
      const abort = () => fail(givenUp());
      const timer = setTimeout(waiter.refuse, deadline_ms);
      signal?.addEventListener('abort', abort);
      for (const known of pathOf(owner)) {
        // An owner that had no waiting work comes last. If `forgetIdle` has removed the owner, this adds it
        // again.
        if (known.waiting === 0) moveToEnd(known);
      }
      owner.waiters.add(waiter);
      count(owner, 'waiting', 1);
    });

  const take = async (path: OwnerPath, signal?: AbortSignal) => {
    if (signal?.aborted) throw givenUp();
    const owner = findOwner(path);
    if (pathOf(owner).every(mayRun)) {
      count(owner, 'running', 1);
      return releaseOnce(owner);
    }
    for (const full of pathOf(owner)) {
      if (full.waiting < full.limit.max_waiting) continue;
      const largest = findLargest(full, new Set(pathOf(owner)));
      if (largest === owner) {
        forgetIdle(owner);
        throw refused();
      }
      [...largest.waiters].at(-1)!.refuse();
    }
    return wait(owner, signal);
  };

  return {
    /**
     * Waits for a slot. The caller must give the slot back in any case, even after an error.
     * @param signal Makes the work leave the queue immediately, for a client that hangs up.
     * @throws ApiError 503 with Retry-After after the deadline, and when the owner has reached its limit of
     * waiting places. A queue that other owners have filled still accepts an owner with less waiting work.
     */
    take,
    /** Waits for a slot, does the work, and gives the slot back. */
    run: runAfter(take),
  };
}

export type FairQueue = ReturnType<typeof createFairQueue>;

/** @param take Waits for a slot. */
export const runAfter =
  (take: (path: OwnerPath, signal?: AbortSignal) => Promise<Release>) =>
  async <T>(path: OwnerPath, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const release = await take(path, signal);
    try {
      return await work();
    } finally {
      release();
    }
  };

/**
 * The error for a caller that is gone. Nobody gets this error, and the log must not report it as our
 * failure.
 */
const givenUp = () => unavailable('The request was given up while it waited for its turn');
