import type { Background } from '../background/background.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

const MEASURED_EVERY_MS = 60_000;

/**
 * Makes a clock that shows the time of PostgreSQL, so that all servers have the same time. It is the
 * clock of this machine, corrected each minute. It lags behind by at most the duration of a small query,
 * and is never ahead.
 */
export async function createDatabaseClock(
  database: Database,
  background: Pick<Background, 'everyHere'>,
  machine: Clock = systemClock,
): Promise<Clock> {
  let ahead_ms = 0;
  const measure = async () => {
    const row = await database.queryOne<{ now: string }>(sql`SELECT clock_timestamp() AS now`);
    ahead_ms = machine().getTime() - Date.parse(row!.now);
  };
  await measure();
  background.everyHere(MEASURED_EVERY_MS, 'reading the clock of PostgreSQL', measure);
  return () => new Date(machine().getTime() - ahead_ms);
}
