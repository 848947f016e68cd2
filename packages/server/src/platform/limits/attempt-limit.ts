import type { Database, Queryable } from '../database/database.ts';
import { literal, rowsAs, sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { usedUp } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';

interface Window {
  attempts: number;
  seconds_left: number;
}

const windowOf = (minutes: number): Sql => sql`${literal(minutes)} * interval '1 minute'`;

const secondsLeft = (minutes: number): Sql => sql`
  ceil(extract(epoch FROM minute_started_at + ${windowOf(minutes)} - now()))::integer
    AS seconds_left`;

/**
 * Counts attempts for some addresses. A window begins with the first attempt of an address.
 * @param counts No two may have the same address.
 * @returns for each address the attempts in its window, with these.
 */
export async function countAttempts(
  database: Queryable,
  action: string,
  window_minutes: number,
  counts: readonly { address: string; amount: number }[],
): Promise<(Window & { address: string })[]> {
  if (counts.length === 0) return [];
  const isOpen = sql`known.minute_started_at > now() - ${windowOf(window_minutes)}`;
  return database.query(sql`
    INSERT INTO attempt_counts AS known (action, address, minute_started_at, attempts)
    SELECT ${action}, address, now(), amount
    FROM ${rowsAs('counted', counts, { address: 'text', amount: 'integer' })}
    ORDER BY address
    ON CONFLICT (action, address) DO UPDATE SET
      attempts = CASE WHEN ${isOpen} THEN known.attempts ELSE 0 END + EXCLUDED.attempts,
      minute_started_at = CASE WHEN ${isOpen} THEN known.minute_started_at ELSE now() END
    RETURNING address, attempts, ${secondsLeft(window_minutes)}`);
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
  const count = async (ip: string) => {
    const [window] = await countAttempts(database, action, 1, [{ address: nameOf(ip), amount: 1 }]);
    return window!;
  };

  return {
    /** @throws ApiError 429 when the address has used up its attempts in this minute. */
    async check(ip: string) {
      const window = await database.queryOne<Window>(sql`
        SELECT attempts, ${secondsLeft(1)}
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
  usedUp('Too many attempts from this address, retry in 60 seconds', max, seconds_left);
