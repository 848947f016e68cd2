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
import type { Owner, Share, Waiter } from './owners.ts';

export interface FairQueueOptions {
  /** Names the queue in metrics. */
  name: string;
  /** Work that runs at a time. */
  slots: number;
  /** Work of all owners that waits at most. */
  max_waiting: number;
  /** Work that has waited this long is refused. */
  deadline_ms: number;
  /** The share of each part of an owner's path, such as a network and an account in it. */
  shares: readonly Share[];
  /** The error text of a refusal. It names the busy thing and the way out. */
  refusal: string;
}

/**
 * The owner of work, from the widest part to the narrowest, such as `[network, account_id]`. It has as
 * many parts as the queue has shares.
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

/** Announces each new queue, so that features need not pass theirs to the metrics. */
export const fairQueueCreated = channel('overworld:fair-queue-created');

/**
 * Serves the owners of a scarce resource in turn, and not in the order of arrival. Each turn goes to the
 * next network, in it to the next account, and there to the work that has waited longest. However much
 * one owner asks for, it delays each other owner by a turn. A full queue refuses the newest work of the
 * owner with the most waiting work, and never that of a newcomer with less.
 */
export function createFairQueue(options: FairQueueOptions) {
  const { name, slots, max_waiting, deadline_ms, shares, refusal } = options;
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
    if (path.length !== shares.length) {
      throw new Error(`An owner of ${name} has ${shares.length} parts`);
    }
    let owner = all;
    for (const [depth, part] of path.entries()) {
      let child = owner.parts.get(part);
      if (child === undefined) {
        child = makeOwner(owner, part, shares[depth]!);
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
        // An owner that had nothing waiting comes last. This also adds a forgotten owner again.
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
      if (full.waiting < full.share.max_waiting) continue;
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
     * Waits for a slot. The caller gives it back on every path.
     * @param signal Makes the work leave the queue at once, for a client that hangs up.
     * @throws ApiError 503 with Retry-After after the deadline, and when the owner has used up its share of
     * waiting places. A queue that others have filled still takes an owner with less waiting work.
     */
    take,
    /** Does the work with a slot, and gives it back. */
    async run<T>(path: OwnerPath, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const release = await take(path, signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

export type FairQueue = ReturnType<typeof createFairQueue>;

/** Nobody reads it, because the caller is gone, and a log must not report it as our failure. */
const givenUp = () => unavailable('The request was given up while it waited for its turn');
