import { MAX_CHECK_SECONDS } from '@overworld/contract/alerts/alert-rule';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { FindMetric } from '../../../platform/reports/metric-parts.ts';
import type { Explorer } from '../thread/explorer.ts';

/** A metric of the game, and the days on which it is read. */
interface WatchedDays extends Tenant {
  metric_key: string | null;
  /** Days as `YYYY-MM-DD`. */
  starts: readonly string[];
  time_zone: string;
}

/**
 * Makes the function that reads a metric of a game for some days, by the report of the metric: one value for each of
 * `starts`, in this order, and percentages from 0 to 100. A value is null where the report has none, and before the
 * first event of the environment. Each day is a report of its own, so that the days between are not read.
 * @throws ApiError 503 when all days together take longer than a check of an alert may.
 */
export const createDayReader =
  ({ explorer, findMetric }: { explorer: Pick<Explorer, 'report'>; findMetric: FindMetric }) =>
  async (database: Queryable, watched: WatchedDays): Promise<(number | null)[]> => {
    const { game_id, environment, metric_key, starts, time_zone } = watched;
    const found = metric_key === null ? null : await findMetric(game_id, metric_key);
    if (found === null) return starts.map(() => null);
    const days = await database.query<{ day: string; starts_at: string; ends_at: string }>(sql`
      SELECT day::text AS day, day::timestamp AT TIME ZONE ${time_zone}::text AS starts_at,
             (day + 1)::timestamp AT TIME ZONE ${time_zone}::text AS ends_at
      FROM unnest(${[...starts]}::date[]) WITH ORDINALITY AS asked (day, number)
      ORDER BY number`);
    const first = await database.queryOne<{ day: string | null }>(sql`
      SELECT min(day)::text AS day FROM daily_event_counts WHERE ${isOfTenant(watched)}`);
    const ends_ms = Date.now() + MAX_CHECK_SECONDS * 1_000;
    const asker = { owner: ['alerts', 'alerts', game_id], signal: new AbortController().signal };
    const values: (number | null)[] = [];
    for (const { day, starts_at, ends_at } of days) {
      if (first?.day === null || first === null || day < first.day) {
        values.push(null);
        continue;
      }
      const range = { from: day, to: day, today: day, time_zone, starts_at, ends_at };
      const input = { game_id, environment, ...range, ...found, choice: null };
      const left_s = Math.max(0.001, (ends_ms - Date.now()) / 1_000);
      const { total } = await explorer.report('metric', input, asker, left_s);
      const isPercent = found.metric.unit === 'percent';
      values.push(isPercent && total.number !== null ? total.number * 100 : total.number);
    }
    return values;
  };
