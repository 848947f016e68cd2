import type { Background } from '../background.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

const MEASURED_EVERY_MS = 60_000;

/**
 * Makes a clock with the time of PostgreSQL, which all servers share: the clock of this machine, corrected
 * each minute. The clock is late by at most the time of a small query, and never early.
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
