import type { AlertPeriod } from '@overworld/contract/alerts/alert-words';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** The share of saves in conflict in each period, in percent; null where nothing was saved. */
export async function readConflictPercents(
  database: Queryable,
  watched: Tenant & { period: AlertPeriod; starts: readonly string[]; time_zone: string },
): Promise<(number | null)[]> {
  const { period, starts, time_zone } = watched;
  const range =
    period === 'day'
      ? sql`hour >= start::timestamp AT TIME ZONE ${time_zone}::text
            AND hour < (start::timestamp + interval '1 day') AT TIME ZONE ${time_zone}::text`
      : sql`hour >= start::timestamptz AND hour < start::timestamptz + interval '1 hour'`;
  const rows = await database.query<{ value: number | null }>(sql`
    SELECT (SELECT (sum(conflicts) * 100.0 / NULLIF(sum(saves), 0))::float8
            FROM hourly_save_counts WHERE ${isOfTenant(watched)} AND ${range}) AS value
    FROM unnest(${[...starts]}::text[]) WITH ORDINALITY AS asked (start, number)
    ORDER BY number`);
  return rows.map(({ value }) => value);
}
