import { MAX_COMPARED_EVENTS } from '@overworld/contract/analytics/release-limits';
import type { ReleaseComparison } from '@overworld/contract/analytics/release-comparison';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

export interface ReleaseDay {
  version: string;
  name: string | null;
  first_day: string;
}

export const findReleaseDays = (
  database: Queryable,
  { game_id, environment }: Tenant,
  versions: readonly string[],
): Promise<ReleaseDay[]> =>
  database.query(sql`
    SELECT version, releases.name, (first_started_at AT TIME ZONE time_zone)::date::text AS first_day
    FROM releases
    JOIN games ON games.id = game_id
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND version = ANY(${[...versions]}::text[])`);

/** Lists the most frequent events on these days whose names say that something went wrong. */
export async function listBadEvents(
  database: Queryable,
  tenant: Tenant,
  ranges: readonly Range[],
): Promise<string[]> {
  const rows = await database.query<{ event_name: string }>(sql`
    SELECT event_name
    FROM daily_event_counts
    WHERE ${isOfTenant(tenant)}
      AND (day BETWEEN ${ranges[0]!.from}::date AND ${ranges[0]!.to}::date
           OR day BETWEEN ${ranges[1]!.from}::date AND ${ranges[1]!.to}::date)
      AND fold_text(event_name) ~ 'crash|error|exception|fail'
    GROUP BY event_name
    HAVING sum(event_count) > 0
    ORDER BY sum(event_count) DESC, event_name
    LIMIT ${MAX_COMPARED_EVENTS}`);
  return rows.map(({ event_name }) => event_name);
}

interface Range {
  from: string;
  to: string;
}

/** Adds up the counts of days that no version has of its own. */
export async function addUpDays(
  database: Queryable,
  tenant: Tenant,
  ranges: readonly Range[],
  time_zone: string,
): Promise<ReleaseComparison['of_days']> {
  const isTenants = isOfTenant(tenant);
  const rows: Record<keyof ReleaseComparison['of_days'], number>[] = [];
  for (const { from, to } of ranges) {
    const row = await database.queryOne<(typeof rows)[number]>(sql`
      SELECT
        (SELECT COALESCE(sum(event_count), 0)::bigint FROM daily_receipts
         WHERE ${isTenants} AND day BETWEEN ${from}::date AND ${to}::date) AS received_events,
        (SELECT COALESCE(sum(refused_count), 0)::bigint FROM daily_track_problems
         WHERE ${isTenants} AND day BETWEEN ${from}::date AND ${to}::date) AS refused_events,
        COALESCE(sum(saves), 0)::bigint AS saves,
        COALESCE(sum(conflicts), 0)::bigint AS save_conflicts
      FROM hourly_save_counts
      WHERE ${isTenants} AND hour >= ${from}::timestamp AT TIME ZONE ${time_zone}::text
        AND hour < (${to}::timestamp + interval '1 day') AT TIME ZONE ${time_zone}::text`);
    rows.push(row!);
  }
  const pair = (name: keyof ReleaseComparison['of_days']) => rows.map((row) => row[name]);
  return {
    received_events: pair('received_events'),
    refused_events: pair('refused_events'),
    saves: pair('saves'),
    save_conflicts: pair('save_conflicts'),
  };
}
