import type { Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { tooManyRequests } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';

interface Window {
  attempts: number;
  seconds_left: number;
}

/**
 * @param options.nameOf Converts the argument of each method to the key under which attempts are counted.
 * By default, the argument is an IP address, and the key is its network.
 */
export function createAttemptLimit(
  database: Database,
  action: string,
  max_per_minute: number,
  { nameOf = networkOf }: { nameOf?: (ip: string) => string } = {},
) {
  const refuse = (seconds_left: number) => tooManyAttempts(max_per_minute, seconds_left);
  const secondsLeft = sql`
    ceil(extract(epoch FROM minute_started_at + interval '1 minute' - now()))::integer
      AS seconds_left`;

  const count = async (ip: string) => {
    const window = await database.queryOne<Window>(sql`
      INSERT INTO attempt_counts AS known (action, address, minute_started_at, attempts)
      VALUES (${action}, ${nameOf(ip)}, now(), 1)
      ON CONFLICT (action, address) DO UPDATE SET
        attempts = CASE WHEN known.minute_started_at > now() - interval '1 minute'
          THEN known.attempts + 1 ELSE 1 END,
        minute_started_at = CASE WHEN known.minute_started_at > now() - interval '1 minute'
          THEN known.minute_started_at ELSE now() END
      RETURNING attempts, ${secondsLeft}`);
    return window!;
  };

  return {
    /** @throws ApiError 429 when the address has used up its attempts in this minute. */
    async check(ip: string) {
      const window = await database.queryOne<Window>(sql`
        SELECT attempts, ${secondsLeft}
        FROM attempt_counts
        WHERE action = ${action} AND address = ${nameOf(ip)}
          AND minute_started_at > now() - interval '1 minute'`);
      if (window === null || window.attempts < max_per_minute) return;
      throw refuse(window.seconds_left);
    },
    /** Counts an attempt after it was made. */
    async count(ip: string) {
      await count(ip);
    },
    /**
     * Counts an attempt before it is made.
     * @throws ApiError 429 when the address has used up its attempts in this minute.
     */
    async take(ip: string) {
      const { attempts, seconds_left } = await count(ip);
      if (attempts > max_per_minute) throw refuse(seconds_left);
    },
  };
}

/**
 * A limit on attempts per minute, which all servers share. Attempts are counted for each network, unless
 * `nameOf` returns another key than the network.
 */
export type AttemptLimit = ReturnType<typeof createAttemptLimit>;

/** Deletes counts of minutes that are over. */
export async function deleteOldAttemptCounts(tx: Queryable): Promise<void> {
  await tx.execute(sql`
    DELETE FROM attempt_counts WHERE minute_started_at < now() - interval '1 hour'`);
}

const tooManyAttempts = (max: number, seconds_left: number) =>
  tooManyRequests('Too many attempts from this address, retry in 60 seconds', {
    'x-ratelimit-limit': String(max),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(seconds_left),
    'retry-after': String(seconds_left),
  });
