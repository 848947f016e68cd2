import type { KeptStore } from '../stores/kept-store.ts';
import { makeId, platform, startTimer, wait } from '../http/platform.ts';

/**
 * Locks on queues. Only one tab or process at a time sends the events of a queue. When the owner of a
 * queue is gone, another one sends them.
 */
export interface QueueLocks {
  /** Takes the lock. Returns false while another client has it, or waits for it if `isWaiting`. */
  take(queue: string, isWaiting?: boolean): Promise<boolean>;
  /** Tells whether this client still has the lock. */
  isHeld(queue: string): Promise<boolean>;
  release(queue: string): Promise<void>;
}

/** A lock that this client has taken. */
interface Lock {
  /**
   * Returns false if another client has taken the lock since. This method is missing if no other client can
   * take the lock before its release.
   */
  isOurs?(): Promise<boolean>;
  release(): unknown;
}

/** Takes the lock of a queue. Returns null while another client has it. */
type Acquire = (queue: string) => Promise<Lock | null>;

const LOOK_INTERVAL_MS = 50;

export function createQueueLocks(store: KeptStore): QueueLocks {
  const { lower } = store;
  const { locks } = platform.navigator ?? {};
  const acquire = !lower?.shared
    ? lockInProcess(lower ?? store)
    : locks
      ? lockInBrowser(locks)
      : lease(store);
  const held = new Map<string, Lock>();
  return {
    async take(queue, isWaiting) {
      for (;;) {
        const lock = await acquire(queue);
        if (lock) held.set(queue, lock);
        if (lock || !isWaiting) return !!lock;
        await wait(LOOK_INTERVAL_MS);
      }
    },
    async isHeld(queue) {
      const lock = held.get(queue);
      return !!lock && (!lock.isOurs || lock.isOurs());
    },
    async release(queue) {
      const lock = held.get(queue);
      held.delete(queue);
      await lock?.release();
    },
  };
}

/** The queues of each store that are locked in this process. Two clients may share a store. */
const takenByStore = new WeakMap<object, Set<string>>();

/** Locks queues of a store that only one process uses, so all its locks are in this process. */
function lockInProcess(store: object): Acquire {
  const taken = takenByStore.get(store) ?? new Set();
  takenByStore.set(store, taken);
  return async (queue) => {
    if (taken.has(queue)) return null;
    taken.add(queue);
    return { release: () => taken.delete(queue) };
  };
}

/** Locks queues by Web Locks. The browser releases a lock as soon as its tab or worker is gone. */
const lockInBrowser =
  (locks: NonNullable<NonNullable<typeof platform.navigator>['locks']>): Acquire =>
  (queue) =>
    new Promise((resolve) => {
      locks
        .request(queue, { ifAvailable: true }, (lock) => {
          if (lock) return new Promise<void>((release) => resolve({ release }));
          resolve(null);
        })
        // Pages that may not use Web Locks do not share a store either.
        .catch(() => resolve({ release() {} }));
    });

/** Two minutes, because hidden tabs may run their timers only once a minute. */
const LEASE_MS = 120_000;
const RENEWAL_MS = 20_000;

/**
 * Locks queues without Web Locks, as on pages without TLS. The owner of a queue stores a lease with the
 * queue; the lease expires unless it is renewed. A client that was suspended reads the lease before each
 * step, and so learns that it has lost the queue.
 */
function lease(store: KeptStore): Acquire {
  const me = makeId();
  return async (queue) => {
    const key = `${queue}:lease`;
    const readOwner = async () => {
      const [owner, until] = ((await store.read(key)) ?? '').split(' ');
      return Number(until) > Date.now() ? owner : undefined;
    };
    const write = () => store.set(key, `${me} ${Date.now() + LEASE_MS}`);
    const isOurs = async () => (await readOwner()) === me;
    const renewLater = () =>
      startTimer(async () => {
        if (!(await isOurs())) return;
        await write();
        renewLater();
      }, RENEWAL_MS);
    if (await readOwner()) return null;
    await write();
    // If several clients saw the queue free at the same time, the last one that wrote gets the lock.
    await wait(LOOK_INTERVAL_MS * (1 + Math.random()));
    if (!(await isOurs())) return null;
    renewLater();
    return {
      isOurs,
      async release() {
        if (await isOurs()) await store.erase(key);
      },
    };
  };
}
