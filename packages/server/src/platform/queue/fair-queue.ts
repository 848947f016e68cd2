import { channel } from 'node:diagnostics_channel';
import { unavailable } from '../errors.ts';

/** How much of a queue one owner may have at once, all its parts together. */
export interface Share {
  max_running: number;
  max_waiting: number;
}

export interface FairQueueOptions {
  /** Names the queue in metrics. */
  name: string;
  /** How much runs at a time. */
  slots: number;
  /** How much waits at most, of all owners together. */
  max_waiting: number;
  /** Work that waits longer is refused. */
  deadline_ms: number;
  /** A share for each part of an owner's path: of a network, and of one account in it. */
  shares: readonly Share[];
  /** The error text of a refusal: says what is busy, and what to do. */
  refusal: string;
}

/**
 * Whose turn it is, from the widest part to the narrowest, such as `[network, account_id]`: as many
 * parts as the queue has shares.
 */
export type OwnerPath = readonly string[];

/** Gives a slot back; a second call does nothing. */
export type Release = () => void;

export interface FairQueue {
  /**
   * Waits for a slot. The caller gives it back on every path.
   * @param signal Leaves the queue at once, as when the client hangs up.
   * @throws ApiError 503 with Retry-After after the deadline, and when the owner's share of places to
   * wait is used up. A queue that others have filled still takes an owner who has fewer waiting.
   */
  take(owner: OwnerPath, signal?: AbortSignal): Promise<Release>;
  /** Does the work with a slot, and gives it back. */
  run<T>(owner: OwnerPath, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** A queue as metrics see it. */
export interface ObservedFairQueue {
  readonly name: string;
  readonly waiting: number;
  /** Told of each that was refused. */
  onRefused?: () => void;
}

/** Announces each queue as it is made, so that features need not hand theirs on to metrics. */
export const fairQueueCreated = channel('overworld:fair-queue-created');

interface Waiter {
  start(): void;
  refuse(): void;
}

/** All, a network, or an account in it: known while something of it runs or waits. */
interface Owner {
  readonly parent: Owner | null;
  readonly name: string;
  readonly share: Share;
  /** In the order of their turns. */
  readonly parts: Map<string, Owner>;
  /** Of an owner without parts, the first to come first. */
  readonly waiters: Set<Waiter>;
  running: number;
  waiting: number;
}

/**
 * Shares out what is scarce: owners are served in turn, and not in the order of arrival. Each turn
 * goes to the next network, in it to the next account, and of that to what waits longest; so however
 * much one owner asks for, it delays each other one by a turn. A full queue refuses work of the owner
 * who has most waiting, the newest first, and never that of a newcomer who has less.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
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
        // An owner that had nothing waiting comes after all others. This also adds a forgotten one again.
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
    take,
    async run(path, work, signal) {
      const release = await take(path, signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Nobody reads it, as the caller is gone: it is no failure of ours that a log should tell. */
const givenUp = () => unavailable('The request was given up while it waited for its turn');

const makeOwner = (parent: Owner | null, name: string, share: Share): Owner => ({
  parent,
  name,
  share,
  parts: new Map(),
  waiters: new Set(),
  running: 0,
  waiting: 0,
});

/** The owner and all that it is a part of, the narrowest first. */
function pathOf(owner: Owner): Owner[] {
  const path: Owner[] = [];
  for (let part: Owner | null = owner; part !== null; part = part.parent) path.push(part);
  return path;
}

const mayRun = ({ running, share }: Owner) => running < share.max_running;

function count(owner: Owner, what: 'running' | 'waiting', change: 1 | -1): void {
  for (const part of pathOf(owner)) part[what] += change;
}

function moveToEnd(owner: Owner): void {
  if (owner.parent === null) return;
  owner.parent.parts.delete(owner.name);
  owner.parent.parts.set(owner.name, owner);
}

function forgetIdle(owner: Owner): void {
  for (const part of pathOf(owner)) {
    if (part.running === 0 && part.waiting === 0) part.parent?.parts.delete(part.name);
  }
}

/** The owner without parts whose turn it is, which comes last then; null when none may run. */
function takeTurn(owner: Owner): Owner | null {
  if (owner.waiting === 0 || !mayRun(owner)) return null;
  if (owner.waiters.size > 0) return owner;
  for (const part of owner.parts.values()) {
    const next = takeTurn(part);
    if (next === null) continue;
    moveToEnd(part);
    return next;
  }
  return null;
}

/**
 * The owner without parts who has most waiting; the newcomer counts as waiting already. Of equals it is
 * the newcomer.
 */
function findLargest(owner: Owner, newcomer: ReadonlySet<Owner>): Owner {
  let largest: Owner | undefined;
  let most = -1;
  for (const part of owner.parts.values()) {
    // One for itself, and a half before its equals.
    const waiting = part.waiting + (newcomer.has(part) ? 1.5 : 0);
    if (waiting <= most) continue;
    largest = part;
    most = waiting;
  }
  return largest === undefined ? owner : findLargest(largest, newcomer);
}
