import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { unavailable } from '../../platform/errors.ts';

/** argon2id, 19 MiB and two passes (OWASP's first choice): 20 to 30 ms. Raise them as machines grow. */
export const HASH_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashes at a time: one core stays with the requests, and two of libuv's four threads with files and
 * DNS.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));
/** At 25 ms each the last of them waits 5 s. */
const MAX_WAITING = 200;

export interface Hashing {
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password. Without a hash it is compared with that of no password, so that an
   * unknown address takes as long as a known one.
   */
  verify(password_hash: string | null, password: string): Promise<boolean>;
  /** Whether the hash was made at another cost than is asked for now. */
  isOutdated(password_hash: string): boolean;
}

export interface Passwords {
  /**
   * Runs `work` with one of the few places for hashing, so that a flood of logins takes neither all
   * threads nor, as `work` holds the transaction, all connections.
   * @throws ApiError 503 when too many wait already.
   */
  use<T>(work: (hashing: Hashing) => Promise<T>): Promise<T>;
}

export function createPasswords(
  engine: Pick<typeof argon2, 'hash' | 'verify'> = argon2,
  limits = { max_concurrent: MAX_CONCURRENT, max_waiting: MAX_WAITING },
): Passwords {
  const hash = (password: string) => engine.hash(normalize(password), HASH_COST);
  const hashOfNoPassword = hash(randomBytes(24).toString('base64url'));
  const waiting: (() => void)[] = [];
  let taken = 0;

  const hashing: Hashing = {
    hash,
    async verify(password_hash, password) {
      const matches = await engine.verify(
        password_hash ?? (await hashOfNoPassword),
        normalize(password),
      );
      return matches && password_hash !== null;
    },
    isOutdated(password_hash) {
      const { memoryCost, timeCost, parallelism } = argon2.parseOptions(password_hash);
      return (
        memoryCost !== HASH_COST.memoryCost ||
        timeCost !== HASH_COST.timeCost ||
        parallelism !== HASH_COST.parallelism
      );
    },
  };

  return {
    async use(work) {
      if (taken < limits.max_concurrent) {
        taken++;
      } else {
        if (waiting.length >= limits.max_waiting) {
          throw unavailable('The server is overloaded, try again in a second');
        }
        // Whoever leaves hands its place on, so that nobody overtakes.
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      try {
        return await work(hashing);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else taken--;
      }
    },
  };
}

/** The same characters typed on different systems are the same password. */
const normalize = (password: string) => password.normalize('NFKC');
