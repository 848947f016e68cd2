import type { KeptStore } from '../stores/kept-store.ts';
import { makeId, platform, startTimer, wait } from '../http/platform.ts';

/**
 * Locks on queues: one tab or process at a time sends the events of a queue, and another one after
 * the death of its owner.
 */
export interface QueueLocks {
  /** Takes the lock. Gives false while another client has it, unless `isWaiting`. */
  take(queue: string, isWaiting?: boolean): Promise<boolean>;
  /** Whether this client still has the lock. */
  isHeld(queue: string): boolean | Promise<boolean>;
  release(queue: string): void | Promise<void>;
}

const LOOK_INTERVAL_MS = 50;

export function createQueueLocks(store: KeptStore): QueueLocks {
  const { below } = store;
  const { locks } = platform.navigator ?? {};
  const chosen = !below?.shared
    ? createProcessLocks(below ?? store)
    : locks
      ? createWebLocks(locks)
      : createLeases(store);
  return {
    ...chosen,
    async take(queue, isWaiting) {
      while (!(await chosen.take(queue))) {
        if (!isWaiting) return false;
        await wait(LOOK_INTERVAL_MS);
      }
      return true;
    },
  };
}

/** Locks of this process by store, because two clients may share a store. */
const heldByStore = new WeakMap<object, Set<string>>();

/** Locks for a store that only one process uses: all of them are in this process. */
function createProcessLocks(store: object): QueueLocks {
  const held = heldByStore.get(store) ?? new Set();
  heldByStore.set(store, held);
  return {
    take: async (queue) => !held.has(queue) && !!held.add(queue),
    isHeld: (queue) => held.has(queue),
    release: (queue) => void held.delete(queue),
  };
}

/** The browser releases a lock as soon as its tab or worker is gone. */
function createWebLocks(locks: NonNullable<NonNullable<typeof platform.navigator>['locks']>) {
  const releases = new Map<string, () => void>();
  const webLocks: QueueLocks = {
    take: (queue) =>
      new Promise<boolean>((resolve) => {
        locks
          .request(queue, { ifAvailable: true }, (lock) => {
            resolve(lock !== null);
            if (lock !== null) return new Promise((release) => releases.set(queue, release));
          })
          // Pages without access to locks share no store either.
          .catch(() => {
            releases.set(queue, () => undefined);
            resolve(true);
          });
      }),
    isHeld: (queue) => releases.has(queue),
    release(queue) {
      releases.get(queue)?.();
      releases.delete(queue);
    },
  };
  return webLocks;
}

/** Hidden tabs may run their timers once a minute. */
const LEASE_MS = 120_000;
const RENEWAL_MS = 20_000;

/**
 * Without Web Locks, as on pages without TLS, the owner of a queue writes a lease beside it, which
 * expires unless it is renewed. A suspended client reads the lease before each step, and so learns
 * that it lost the queue.
 */
function createLeases(store: KeptStore): QueueLocks {
  const me = makeId();
  const held = new Set<string>();
  const keyOf = (queue: string) => `${queue}:lease`;
  const read = async (queue: string) => {
    const [owner, until] = ((await store.read(keyOf(queue))) ?? '').split(' ');
    return Number(until) > Date.now() ? owner : undefined;
  };
  const write = (queue: string) => store.set(keyOf(queue), `${me} ${Date.now() + LEASE_MS}`);
  const renewLater = (queue: string) =>
    startTimer(async () => {
      if (!(await leases.isHeld(queue))) return;
      await write(queue);
      renewLater(queue);
    }, RENEWAL_MS);
  const leases: QueueLocks = {
    async take(queue) {
      if (await read(queue)) return false;
      await write(queue);
      // If several clients saw the queue free at the same time, the last one to write has it.
      await wait(LOOK_INTERVAL_MS * (1 + Math.random()));
      if ((await read(queue)) !== me) return false;
      held.add(queue);
      renewLater(queue);
      return true;
    },
    async isHeld(queue) {
      if (held.has(queue) && (await read(queue)) !== me) held.delete(queue);
      return held.has(queue);
    },
    async release(queue) {
      if (await leases.isHeld(queue)) await store.remove(keyOf(queue));
      held.delete(queue);
    },
  };
  return leases;
}
