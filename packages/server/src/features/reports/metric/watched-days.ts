import { MAX_CHECK_SECONDS } from '@overworld/contract/alerts/alert-rule';
import type { Queryable } from '../../../platform/database/database.ts';
import { TookTooLong, unavailable } from '../../../platform/errors.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { FindMetric } from '../../../platform/reports/metric-parts.ts';
import type { Asker, Explorer } from '../thread/explorer.ts';

/** A metric of the game, and the days on which it is read. */
interface WatchedDays extends Tenant {
  metric_key: string | null;
  /** Days as `YYYY-MM-DD`. */
  starts: readonly string[];
  time_zone: string;
  /** The caller who waits for the numbers; left out for checks of alerts. */
  asker?: Asker | undefined;
}

/**
 * Makes the function that reads a metric of a game for some days, by the report of the metric: one value for each of
 * `starts`, in this order, and percentages from 0 to 100. A value is null where the report has none, and before the
 * first event of the environment.
 * @throws ApiError 503 because of `TookTooLong`, or because too many reports wait.
 */
export const createDayReader =
  ({ explorer, findMetric }: { explorer: Pick<Explorer, 'report'>; findMetric: FindMetric }) =>
  async (database: Queryable, watched: WatchedDays): Promise<(number | null)[]> => {
    const { game_id, environment, metric_key, starts, time_zone } = watched;
    // The checks of a game take the turns of one owner.
    const checks = { owner: ['alerts', 'alerts', game_id], signal: new AbortController().signal };
    const { asker = checks } = watched;
    const found = metric_key === null ? null : await findMetric(game_id, metric_key);
    if (found === null) return starts.map(() => null);
    const asked = await database.query<{ day: string; starts_at: string; ends_at: string }>(sql`
      SELECT day::text AS day, day::timestamp AT TIME ZONE ${time_zone}::text AS starts_at,
             (day + 1)::timestamp AT TIME ZONE ${time_zone}::text AS ends_at
      FROM unnest(${[...starts]}::date[]) WITH ORDINALITY AS asked (day, number)
      WHERE day >= (SELECT min(day) FROM daily_event_counts WHERE ${isOfTenant(watched)})
      ORDER BY number`);
    const days = asked.map(({ day, starts_at, ends_at }) => ({
      from: day,
      to: day,
      today: day,
      time_zone,
      starts_at,
      ends_at,
    }));
    const input = { game_id, environment, ...found, choice: null, days };
    const { numbers } =
      days.length === 0 ? { numbers: [] } : await explorer.report('watched_days', input, asker);
    if (numbers === null) {
      const words = `The metric was not ready after ${MAX_CHECK_SECONDS} seconds`;
      throw unavailable(words, new TookTooLong());
    }
    const isPercent = found.metric.unit === 'percent';
    return starts.map((start) => {
      const number = numbers[days.findIndex(({ from }) => from === start)] ?? null;
      return isPercent && number !== null ? number * 100 : number;
    });
  };
