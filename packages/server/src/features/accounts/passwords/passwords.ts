import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { foldText } from '@overworld/contract/fold-text';
import { normalizeEmail } from '../../../platform/auth/email.ts';
import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import type { FairQueue, FairQueueOptions } from '../../../platform/queue/fair-queue.ts';
import { networkOf } from '../../../platform/network/network-address.ts';

/**
 * The cost of new hashes: argon2id with 19 MiB and two passes (OWASP's first
 * choice), which takes 20 to 30 ms. Raise the cost as machines become faster.
 */
export const HASH_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** The same cost in the notation of a hash. */
const CURRENT_COST = 'm=19456,t=2,p=1';
/**
 * The time in milliseconds for which the costs of stored hashes are cached. These
 * costs change only with a release, or when the last hash of an old cost disappears.
 */
const COSTS_KNOWN_FOR_MS = 600_000;

/**
 * The maximum number of hashes that are computed at the same time. So one core stays free for requests, and
 * two of libuv's four threads stay free for files and DNS.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));
/**
 * The limits of the queue for hashing. A hash takes 25 to 75 ms. If only one network sends requests, even the
 * last of its 100 waiting requests is served within the deadline. One e-mail address may have only 20 waiting
 * requests, so an address with many attempts is refused before other addresses of its network.
 */
const QUEUE: FairQueueOptions = {
  name: 'passwords',
  slots: MAX_CONCURRENT,
  max_waiting: 400,
  deadline_ms: 5_000,
  limits: [
    { max_running: MAX_CONCURRENT, max_waiting: 100 },
    { max_running: MAX_CONCURRENT, max_waiting: 20 },
  ],
  refusal: 'Too many passwords are being checked, try again in a few seconds',
};

export interface Hashing {
  hash(password: string): Promise<string>;
  /**
   * Tells whether the password matches the hash. The hash is null if the address has no
   * account. The password is always hashed once at each cost that any account has. At costs
   * that are not the account's, the result is compared with a decoy. So the time does not show
   * whether the address has an account, or whether the account's hash has an outdated cost.
   */
  verify(password_hash: string | null, password: string): Promise<boolean>;
  /** Tells whether the hash has another cost than new hashes. */
  isOutdated(password_hash: string): boolean;
}

/** The caller's network address, and the e-mail address of the account that the caller names. */
export interface PasswordOwner {
  /** Null for the command line. */
  ip: string | null;
  email: string;
}

export function createPasswords(
  options: {
    engine?: Pick<typeof argon2, 'hash' | 'verify'>;
    /** Lists the different costs of stored hashes, each in the notation of a hash. */
    listCosts?: () => Promise<string[]>;
    queue?: Partial<FairQueueOptions>;
    /** Turns a queue into one that all workers of a server share. */
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
      // The hash has a cost that is not cached yet: a server of another release has just made the hash.
      if (own_cost === null || decoys.has(own_cost)) return matches;
      return engine.verify(password_hash!, normalize(password));
    },
    isOutdated: (password_hash) => readCost(password_hash) !== CURRENT_COST,
  };

  return {
    /**
     * Runs `work` with one of the few slots for hashing, so that a flood of logins cannot take all
     * threads. `work` opens its transaction only in the slot, so the flood cannot take all database
     * connections either. Networks take turns, and so do the e-mail addresses of a network.
     * @throws ApiError 503 if no slot is free for 5 seconds, or if the owner has too many waiting requests.
     */
    use: <T>({ ip, email }: PasswordOwner, work: (hashing: Hashing) => Promise<T>): Promise<T> =>
      queue.run([networkOf(ip ?? ''), foldText(normalizeEmail(email))], () => work(hashing)),
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Normalizes a password, so that the same characters are the same password on every system. */
const normalize = (password: string) => password.normalize('NFKC');

/** Reads the cost in a hash such as `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
const readCost = (password_hash: string): string => password_hash.split('$')[3] ?? '';

/**
 * Makes the decoys: hashes of random bytes, one at the current cost and one at each cost of stored hashes.
 */
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
