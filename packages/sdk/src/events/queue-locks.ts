import type { KeptStore } from '../stores/kept-store.ts';
import { makeId, platform, wait } from '../http/platform.ts';
import { createTimer } from '../http/timer.ts';

/** A lock that this client has taken. */
export interface Lock {
  /** Returns false if another client has taken the lock since. */
  isOurs(): boolean | Promise<boolean>;
  leave(): unknown;
}

/**
 * Takes the lock of a queue. Returns null while another client has it. Only one tab or process at a time sends
 * the events of a queue. When the owner of a queue is gone, another one sends them.
 */
export type TakeLock = (queue: string) => Promise<Lock | null>;

/** A client that waits for a lock looks for it this often. */
export const LOOK_INTERVAL_MS = 50;

export const chooseLocks = (store: KeptStore): TakeLock => {
  const { lower } = store;
  const locks = platform.navigator?.locks;
  if (!lower?.shared) return lockInProcess(lower ?? store);
  return locks ? lockInBrowser(locks) : lease(store);
};

/** The queues of each store that are locked in this process. Two clients may share a store. */
const takenByStore = new WeakMap<object, Set<string>>();

/** Locks queues of a store that only one process uses, so all its locks are in this process. */
const lockInProcess = (store: object): TakeLock => {
  const taken = takenByStore.get(store) ?? new Set();
  takenByStore.set(store, taken);
  return async (queue) => {
    if (taken.has(queue)) return null;
    taken.add(queue);
    return { isOurs: () => true, leave: () => taken.delete(queue) };
  };
};

/** Locks queues by Web Locks. The browser releases a lock as soon as its tab or worker is gone. */
const lockInBrowser =
  (locks: NonNullable<NonNullable<typeof platform.navigator>['locks']>): TakeLock =>
  (queue) =>
    new Promise((resolve) => {
      locks
        .request(queue, { ifAvailable: true }, (lock) => {
          if (lock) return new Promise<void>((leave) => resolve({ isOurs: () => true, leave }));
          resolve(null);
        })
        // Pages that may not use Web Locks do not share a store either.
        .catch(() => resolve({ isOurs: () => true, leave() {} }));
    });

/** Two minutes, because hidden tabs may run their timers only once a minute. */
const LEASE_MS = 120_000;
const RENEWAL_MS = 20_000;

/**
 * Locks queues without Web Locks, as on pages without TLS. The owner of a queue stores a lease with the
 * queue; the lease expires unless it is renewed. A client that was suspended reads the lease before each
 * step, and so learns that it has lost the queue.
 */
const lease = (store: KeptStore): TakeLock => {
  const me = makeId();
  return async (queue) => {
    const key = `${queue}:lease`;
    const readOwner = async () => {
      const [owner, until] = ((await store.read(key)) ?? '').split(' ');
      return Number(until) > Date.now() && owner;
    };
    const write = () => store.set(key, `${me} ${Date.now() + LEASE_MS}`);
    const isOurs = async () => (await readOwner()) === me;
    const renewal = createTimer(async () => {
      if (!(await isOurs())) return;
      await write();
      renewal.start(RENEWAL_MS);
    });
    if (await readOwner()) return null;
    await write();
    // If several clients saw the queue free at the same time, the last one that wrote gets the lock.
    await wait(LOOK_INTERVAL_MS * (1 + Math.random()));
    if (!(await isOurs())) return null;
    renewal.start(RENEWAL_MS);
    return {
      isOurs,
      async leave() {
        if (await isOurs()) await store.erase(key);
      },
    };
  };
};
