import { getDataQuality } from '@overworld/contract/analytics/events';
import type { SuccessOf } from '@overworld/contract/operation';
import { sql } from '../../../platform/database/sql.ts';
import { tableOf } from '../../../platform/reports/csv-report.ts';
import { isOfDays } from '../days.ts';
import type { RollupReport } from '../report-description.ts';

type DataQuality = SuccessOf<typeof getDataQuality>;

/** The events that each API key sent on each day of the range, and the problems with these events. */
export const dataQuality: RollupReport<typeof getDataQuality, { key_id?: string | undefined }> = {
  operation: getDataQuality,
  readQuestion: ({ key_id }) => ({ key_id }),

  async readAll(database, tenant, range, { key_id }) {
    const isOfRange = sql`
      ${isOfDays(tenant, range)} AND (${key_id}::uuid IS NULL OR key_id = ${key_id})`;
    const withName = sql`
      LEFT JOIN api_keys ON api_keys.game_id = ${tenant.game_id} AND api_keys.id = key_id`;
    const days = await database.query<DataQuality['days'][number]>(sql`
      SELECT day::text AS day, key_id, name AS key_name,
             COALESCE(event_count, 0) AS event_count, COALESCE(late_count, 0) AS late_count,
             COALESCE(wrong_clock_count, 0) AS wrong_clock_count,
             COALESCE(warned_count, 0)::bigint AS warned_count,
             COALESCE(refused_count, 0)::bigint AS refused_count,
             COALESCE(repeated_count, 0)::bigint AS repeated_count
      FROM (SELECT day, key_id, event_count, late_count, wrong_clock_count
            FROM daily_receipts WHERE ${isOfRange}) AS receipts
      FULL JOIN (
        SELECT day, key_id, sum(warned_count) AS warned_count, sum(refused_count) AS refused_count,
               sum(repeated_count) AS repeated_count
        FROM daily_track_problems WHERE ${isOfRange}
        GROUP BY day, key_id
      ) AS problems USING (day, key_id)
      ${withName}
      ORDER BY day, event_count DESC NULLS LAST, key_id`);
    const schemas = await database.query<DataQuality['schemas'][number]>(sql`
      SELECT event_name, key_id, name AS key_name, warned_count, refused_count
      FROM (
        SELECT event_name, key_id, sum(warned_count)::bigint AS warned_count,
               sum(refused_count)::bigint AS refused_count
        FROM daily_track_problems
        WHERE ${isOfRange} AND event_name <> ''
        GROUP BY event_name, key_id
      ) AS problems
      ${withName}
      ORDER BY warned_count + refused_count DESC, event_name, key_id`);
    return { days, schemas };
  },

  toTable: ({ days }) => tableOf('data-quality', COLUMNS, days),
};

const COLUMNS = [
  'day',
  'key_id',
  'key_name',
  'event_count',
  'late_count',
  'wrong_clock_count',
  'warned_count',
  'refused_count',
  'repeated_count',
] as const;
