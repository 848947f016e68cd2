import {
  CURRENCIES,
  isConvertible,
  MAX_MILLIONTHS,
  millionthsOf,
} from '@overworld/contract/analytics/currencies';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { Queryable } from '../../platform/database/database.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { toSql } from '../../platform/property-conditions.ts';
import { findRevenueSettings } from './store.ts';

/**
 * Events that arrive more than this number of days after their day
 * are not counted, so that the count of a day reads few events.
 */
const LATEST_DAYS = 7;

/**
 * Counts for each day the players with a purchase above zero, as the revenue report does. The counts are in
 * the order of `starts`. Without a report currency, purchases in all currencies count. The count is null if
 * the game has chosen no purchase event, or received its first event after that day.
 */
export async function readPayers(
  database: Queryable,
  { starts, time_zone, ...tenant }: Tenant & { starts: readonly string[]; time_zone: string },
): Promise<(number | null)[]> {
  const settings = await findRevenueSettings(database, tenant.game_id);
  if (settings === null) return starts.map(() => null);
  const { event_name, filter } = settings;
  const conditions = [
    isPurchase(settings),
    ...toSql({ filter, text: JSON.stringify(filter), path: [] }),
  ];
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

/** Makes the SQL condition that an event is a purchase above zero, judged by its amount and currency. */
function isPurchase(settings: RevenueSettings): Sql {
  const { amount_property, amount_unit, currency, currency_property } = settings;
  const factors = Object.fromEntries(
    CURRENCIES.filter(
      (code) => settings.report_currency === null || isConvertible(settings, code),
    ).map((code) => [code, millionthsOf(amount_unit, code)]),
  );
  const code =
    currency_property === null
      ? sql`${currency}::text`
      : sql`upper((properties ->> ${currency_property}::text) COLLATE "C")`;
  const amount = sql`properties -> ${amount_property}::text`;
  return sql`CASE WHEN jsonb_typeof(${amount}) = 'number'
    THEN round((${amount})::numeric * (${JSON.stringify(factors)}::jsonb ->> ${code})::numeric)
      BETWEEN 1 AND ${MAX_MILLIONTHS}::bigint END`;
}
