import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import type { Queryable } from '../../platform/database/database.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { toSql } from '../../platform/property-conditions.ts';
import { findRevenueSettings } from './store.ts';

/** Events that come later than this are not counted, so that a day reads few of them. */
const LATEST_DAYS = 7;

/**
 * The number of players with a purchase above zero on each day, as the revenue report counts them, in
 * their order. Null: the game has chosen no purchase event, or had no event until then.
 */
export async function readPayers(
  database: Queryable,
  { starts, time_zone, ...tenant }: Tenant & { starts: readonly string[]; time_zone: string },
): Promise<(number | null)[]> {
  const settings = await findRevenueSettings(database, tenant.game_id);
  if (settings === null) return starts.map(() => null);
  const { event_name, filter, amount_property, currency_property } = settings;
  const amount = sql`properties -> ${amount_property}::text`;
  const conditions = [
    sql`CASE WHEN jsonb_typeof(${amount}) = 'number' THEN (${amount})::numeric > 0 END`,
    ...toSql({ filter, text: JSON.stringify(filter), path: [] }),
  ];
  if (currency_property !== null) {
    conditions.push(
      sql`upper((properties ->> ${currency_property}::text) COLLATE "C") = ANY(${[...CURRENCIES]}::text[])`,
    );
  }
  const rows = await database.query<{ value: number | null }>(sql`
    SELECT CASE WHEN day >= (SELECT min(day) FROM daily_event_counts WHERE ${isOfTenant(tenant)})
      THEN (
        SELECT count(DISTINCT player_id) FROM events
        WHERE ${isOfTenant(tenant)} AND event_name = ${event_name} AND player_id IS NOT NULL
          AND received_at >= start_at - interval '1 day'
          AND received_at < end_at + ${LATEST_DAYS}::integer * interval '1 day'
          AND occurred_at >= start_at AND occurred_at < end_at
          AND ${joinSql(conditions, ' AND ')}
      ) END AS value
    FROM (SELECT day, number, day::timestamp AT TIME ZONE ${time_zone}::text AS start_at,
                 (day + 1)::timestamp AT TIME ZONE ${time_zone}::text AS end_at
          FROM unnest(${[...starts]}::date[]) WITH ORDINALITY AS asked (day, number)) AS days
    ORDER BY number`);
  return rows.map(({ value }) => value);
}
