import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';

interface KeyMembers {
  key_id: string;
  /** Null when the key no longer exists. */
  key_name: string | null;
}

interface QualityDay extends KeyMembers {
  day: string;
  event_count: number;
  late_count: number;
  wrong_clock_count: number;
  warned_count: number;
  refused_count: number;
  repeated_count: number;
}

interface SchemaProblems extends KeyMembers {
  event_name: string;
  warned_count: number;
  refused_count: number;
}

export interface DataQuality {
  from: string;
  to: string;
  time_zone: string;
  days: QualityDay[];
  schemas: SchemaProblems[];
}

/** What came with each API key on each day of the range, and what was wrong with it. */
export async function getDataQuality(
  database: Queryable,
  tenant: Tenant,
  { from, to, time_zone }: DateRange,
  { key_id }: { key_id?: string },
): Promise<DataQuality> {
  const { game_id, environment } = tenant;
  const of_range = sql`
    game_id = ${game_id} AND environment = ${environment}
    AND day BETWEEN ${from}::date AND ${to}::date
    AND (${key_id}::uuid IS NULL OR key_id = ${key_id})`;
  const withName = sql`
    LEFT JOIN api_keys ON api_keys.game_id = ${game_id} AND api_keys.id = key_id`;
  const days = await database.query<QualityDay>(sql`
    SELECT day::text AS day, key_id, name AS key_name,
           COALESCE(event_count, 0) AS event_count, COALESCE(late_count, 0) AS late_count,
           COALESCE(wrong_clock_count, 0) AS wrong_clock_count,
           COALESCE(warned_count, 0)::bigint AS warned_count,
           COALESCE(refused_count, 0)::bigint AS refused_count,
           COALESCE(repeated_count, 0)::bigint AS repeated_count
    FROM (SELECT day, key_id, event_count, late_count, wrong_clock_count
          FROM daily_receipts WHERE ${of_range}) AS receipts
    FULL JOIN (
      SELECT day, key_id, sum(warned_count) AS warned_count, sum(refused_count) AS refused_count,
             sum(repeated_count) AS repeated_count
      FROM daily_track_problems WHERE ${of_range}
      GROUP BY day, key_id
    ) AS problems USING (day, key_id)
    ${withName}
    ORDER BY day, event_count DESC NULLS LAST, key_id`);
  const schemas = await database.query<SchemaProblems>(sql`
    SELECT event_name, key_id, name AS key_name, warned_count, refused_count
    FROM (
      SELECT event_name, key_id, sum(warned_count)::bigint AS warned_count,
             sum(refused_count)::bigint AS refused_count
      FROM daily_track_problems
      WHERE ${of_range} AND event_name <> ''
      GROUP BY event_name, key_id
    ) AS problems
    ${withName}
    ORDER BY warned_count + refused_count DESC, event_name, key_id`);
  return { from, to, time_zone, days, schemas };
}

const COUNTS = [
  'event_count',
  'late_count',
  'wrong_clock_count',
  'warned_count',
  'refused_count',
  'repeated_count',
] as const;

export const dataQualityTable = ({ days }: DataQuality): CsvTable => ({
  name: 'data-quality',
  columns: ['day', 'key_id', 'key_name', ...COUNTS],
  rows: days.map((row) => [
    row.day,
    row.key_id,
    row.key_name,
    ...COUNTS.map((count) => row[count]),
  ]),
});
