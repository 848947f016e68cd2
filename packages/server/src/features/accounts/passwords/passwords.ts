import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { normalizeEmail } from '../../../platform/auth/email.ts';
import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import type { FairQueueOptions } from '../../../platform/queue/fair-queue.ts';
import { networkOf } from '../../../platform/network/network-address.ts';

/** argon2id, 19 MiB and two passes (OWASP's first choice): 20 to 30 ms. Raise them as machines grow. */
export const HASH_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** As hashes name it. */
const CURRENT_COST = 'm=19456,t=2,p=1';
/** Other costs come with a release that changes it, and go with the last account that has them. */
const COSTS_KNOWN_FOR_MS = 600_000;

/**
 * Hashes at a time: one core stays with the requests, and two of libuv's four threads with files and
 * DNS.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));
/**
 * At 25 to 75 ms each, one network's last is served within the deadline while nobody else comes. An
 * account that tries often at once is refused before others of its network are.
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
   * Whether it is the password. It is hashed once at each cost that some account has, and without a
   * hash compared with those of no password: every address takes as long, unknown ones and those
   * with a hash of an outdated cost.
   */
  verify(password_hash: string | null, password: string): Promise<boolean>;
  /** Whether the hash was made at another cost than is asked for now. */
  isOutdated(password_hash: string): boolean;
}

/** Whose password it is, as the caller says, and where the caller is. */
export interface PasswordOwner {
  /** Null where the caller has none. */
  ip: string | null;
  email: string;
}

export interface Passwords {
  /**
   * Runs `work` with one of the few places for hashing, so that a flood of logins takes neither all
   * threads nor, as `work` holds the transaction, all connections. Networks are served in turn, and in
   * each of them e-mail addresses.
   * @throws ApiError 503 after 5 seconds, or when too many of the owner's wait already.
   */
  use<T>(owner: PasswordOwner, work: (hashing: Hashing) => Promise<T>): Promise<T>;
}

export function createPasswords(
  options: {
    engine?: Pick<typeof argon2, 'hash' | 'verify'>;
    /** Costs that stored hashes have, each as a hash names it. */
    listCosts?: () => Promise<string[]>;
    queue?: Partial<FairQueueOptions>;
  } = {},
): Passwords {
  const { engine = argon2, listCosts = async () => [] } = options;
  const queue = createFairQueue({ ...QUEUE, ...options.queue });
  const hash = (password: string) => engine.hash(normalize(password), HASH_COST);
  const hashesOfNoPassword = createDecoys(engine, listCosts);

  const hashing: Hashing = {
    hash,
    async verify(password_hash, password) {
      const own_cost = password_hash === null ? null : readCost(password_hash);
      const decoys = await hashesOfNoPassword();
      let matches = false;
      for (const [cost, decoy] of decoys) {
        const isOwn = cost === own_cost;
        const equal = await engine.verify(isOwn ? password_hash! : decoy, normalize(password));
        if (isOwn) matches = equal;
      }
      // A server of another release has just made it.
      if (own_cost === null || decoys.has(own_cost)) return matches;
      return engine.verify(password_hash!, normalize(password));
    },
    isOutdated: (password_hash) => readCost(password_hash) !== CURRENT_COST,
  };

  return {
    use: ({ ip, email }, work) =>
      queue.run([networkOf(ip ?? ''), normalizeEmail(email).toLowerCase()], () => work(hashing)),
  };
}

/** The same characters typed on different systems are the same password. */
const normalize = (password: string) => password.normalize('NFKC');

/** Of `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` what says how much work it takes. */
const readCost = (password_hash: string): string => password_hash.split('$')[3] ?? '';

/** Hashes that no password has, by their costs: the current one and those that accounts still have. */
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
