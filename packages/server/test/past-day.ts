import { sql } from '../src/platform/database/sql.ts';
import type { TestServer } from './harness.ts';

const DAY_MS = 86_400_000;

/** Returns the UTC date of a past day. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Yesterday, which is over in UTC and in the time zone of the tests' games. */
export const TEST_DAY = daysAgo(1);

/** Makes the partition of a day, by default of yesterday, which may be in the month before. */
export async function makeTestPartition(server: TestServer, day = TEST_DAY): Promise<void> {
  const month = day.slice(0, 7);
  const row = await server.database.queryOne<{ next: string }>(sql`
    SELECT (${`${month}-01`}::date + interval '1 month')::date::text AS next`);
  for (const group of server.database.groups) {
    await group.execute({
      text: `CREATE TABLE IF NOT EXISTS events_${month.replace('-', '_')} PARTITION OF events
             FOR VALUES FROM ('${month}-01') TO ('${row!.next}')`,
      values: [],
    });
  }
}
