import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { normalizeEmail } from '../../../platform/auth/email.ts';
import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import type { FairQueue, FairQueueOptions } from '../../../platform/queue/fair-queue.ts';
import { networkOf } from '../../../platform/network/network-address.ts';

/** argon2id, 19 MiB and two passes (OWASP's first choice): 20 to 30 ms. Raise it as machines grow. */
export const HASH_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** The same cost in the form that hashes have. */
const CURRENT_COST = 'm=19456,t=2,p=1';
/** The costs of stored hashes seldom change: with a release, or when the last hash of an old cost goes. */
const COSTS_KNOWN_FOR_MS = 600_000;

/** Leaves one core to requests, and two of libuv's four threads to files and DNS. */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));
/**
 * At 25 to 75 ms for each hash, the last of the 100 waiting requests of one network is served within the
 * deadline if no other network asks. An account with many attempts at the same time is refused before
 * other accounts of its network.
 */
const QUEUE: FairQueueOptions = {
  name: 'passwords',
  slots: MAX_CONCURRENT,
  max_waiting: 400,
  deadline_ms: 5_000,
  shares: [
    { max_running: MAX_CONCURRENT, max_waiting: 100 },
    { max_running: MAX_CONCURRENT, max_waiting: 20 },
  ],
  refusal: 'Too many passwords are being checked, try again in a few seconds',
};

export interface Hashing {
  hash(password: string): Promise<string>;
  /**
   * Tells whether the password matches the hash, which is null when the address has no account. Hashes the
   * password once at each cost that any account has; at costs that are not the account's, against a decoy.
   * So every address takes the same time, even an unknown address and one with a hash of an outdated cost.
   */
  verify(password_hash: string | null, password: string): Promise<boolean>;
  /** Tells whether the hash was made at an older cost. */
  isOutdated(password_hash: string): boolean;
}

/** The account of the password, as the caller names it, and the caller's address. */
export interface PasswordOwner {
  /** Null for the command line. */
  ip: string | null;
  email: string;
}

export function createPasswords(
  options: {
    engine?: Pick<typeof argon2, 'hash' | 'verify'>;
    /** Lists the costs of stored hashes, each as a hash names it. */
    listCosts?: () => Promise<string[]>;
    queue?: Partial<FairQueueOptions>;
    /** Makes a queue that all workers of a server share. */
    shareQueue?: (name: string, queue: FairQueue) => FairQueue;
  } = {},
) {
  const { engine = argon2, listCosts = async () => [], shareQueue = (_name, own) => own } = options;
  const queue = shareQueue(QUEUE.name, createFairQueue({ ...QUEUE, ...options.queue }));
  const hash = (password: string) => engine.hash(normalize(password), HASH_COST);
  const makeDecoys = createDecoys(engine, listCosts);

  const hashing: Hashing = {
    hash,
    async verify(password_hash, password) {
      const own_cost = password_hash === null ? null : readCost(password_hash);
      const decoys = await makeDecoys();
      let matches = false;
      for (const [cost, decoy] of decoys) {
        const isOwn = cost === own_cost;
        const equal = await engine.verify(isOwn ? password_hash! : decoy, normalize(password));
        if (isOwn) matches = equal;
      }
      // A server of another release has just made the hash.
      if (own_cost === null || decoys.has(own_cost)) return matches;
      return engine.verify(password_hash!, normalize(password));
    },
    isOutdated: (password_hash) => readCost(password_hash) !== CURRENT_COST,
  };

  return {
    /**
     * Runs `work` with one of the few slots for hashing, so that a flood of logins cannot take all
     * threads. `work` opens the transaction, so the flood cannot take all connections either. Networks
     * take turns, and so do the e-mail addresses of a network.
     * @throws ApiError 503 after 5 seconds, or when too many requests of the owner wait already.
     */
    use: <T>({ ip, email }: PasswordOwner, work: (hashing: Hashing) => Promise<T>): Promise<T> =>
      queue.run([networkOf(ip ?? ''), normalizeEmail(email).toLowerCase()], () => work(hashing)),
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Makes the same characters the same password, whatever system they are typed on. */
const normalize = (password: string) => password.normalize('NFKC');

/** Reads the cost in a hash such as `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
const readCost = (password_hash: string): string => password_hash.split('$')[3] ?? '';

/** Makes hashes of random bytes, one for the current cost and for each cost of stored hashes. */
function createDecoys(
  engine: Pick<typeof argon2, 'hash'>,
  listCosts: () => Promise<string[]>,
): () => Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>();
  let read_at = -Infinity;
  return async () => {
    if (performance.now() - read_at < COSTS_KNOWN_FOR_MS) return made;
    for (const cost of new Set([CURRENT_COST, ...(await listCosts())])) {
      if (made.has(cost)) continue;
      const [memoryCost, timeCost, parallelism] = cost.match(/\d+/g)!.map(Number);
      const nothing = randomBytes(24).toString('base64url');
      made.set(cost, await engine.hash(nothing, { memoryCost, timeCost, parallelism }));
    }
    read_at = performance.now();
    return made;
  };
}
