import {
  CHECK_DELAY_MINUTES,
  LEAST_USUAL_WEEKS,
  USUAL_WEEKS,
} from '@overworld/contract/alerts/alert-rule';
import { isMet } from '@overworld/contract/alerts/alert-words';
import type {
  AlertMetric,
  AlertPeriod,
  AlertReading,
  AlertRule,
} from '@overworld/contract/alerts/alert-words';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { OwnerPath } from '../../platform/queue/fair-queue.ts';
import { limitStatements } from './check-limit.ts';

/** The caller who wants a number now. */
export interface Asker {
  owner: OwnerPath;
  signal: AbortSignal;
}

/** A metric of an environment, and the periods in which it is read. */
export interface WatchedPeriods extends Tenant {
  metric: AlertMetric;
  /** Null unless `metric` is a metric of the game. */
  metric_key: string | null;
  event_name: string | null;
  period: AlertPeriod;
  /** Days as `YYYY-MM-DD`, or the moments at which hours begin. */
  starts: readonly string[];
  time_zone: string;
  /** Left out for checks of alerts. */
  asker?: Asker | undefined;
}

/**
 * A function that reads the number of each period, in the order of periods; null where a period has no value.
 */
export type ReadMetric = (
  database: Queryable,
  watched: WatchedPeriods,
) => Promise<(number | null)[]>;

/** The number of the last finished period, compared with a rule. */
export interface Reading extends AlertReading {
  period_started_at: string;
  is_met: boolean | null;
  /** The time from which the next period can be read. */
  next_check_at: string;
}

interface Periods {
  time_zone: string;
  /** The last finished period, and then those of the baseline. */
  starts: string[];
  period_started_at: string;
  next_check_at: string;
}

/** Finds the time from which the present period can be read. @throws ApiError 404 when the game is gone. */
export async function findNextCheck(
  database: Queryable,
  game_id: string,
  rule: Pick<AlertRule, 'period' | 'baseline'>,
): Promise<string> {
  return (await findPeriods(database, game_id, rule)).next_check_at;
}

/** The part of a rule that decides its reading. */
export type ReadRule = Omit<AlertRule, 'defined_metric'> & { metric_key: string | null };

/**
 * Reads the last finished period of a rule.
 * @param options.limit_ms The maximum duration of a statement; by default, `MAX_CHECK_SECONDS`.
 * @param options.asker The caller, whose turns among the reports a metric of the game waits for.
 * @throws ApiError 404 when the game is gone.
 */
export async function readRule(
  database: Database,
  readMetric: ReadMetric,
  tenant: Tenant,
  rule: ReadRule,
  { limit_ms, asker }: { limit_ms?: number | undefined; asker?: Asker } = {},
): Promise<Reading> {
  const periods = await findPeriods(database, tenant.game_id, rule);
  const { starts, time_zone, period_started_at, next_check_at } = periods;
  const isCompared = rule.comparison === 'rises' || rule.comparison === 'falls';
  const { game_id, environment } = tenant;
  const { metric, metric_key, event_name, period } = rule;
  const watched = {
    game_id,
    environment,
    metric,
    metric_key,
    event_name,
    period,
    starts: isCompared ? starts : starts.slice(0, 1),
    time_zone,
    asker,
  };
  const [value = null, ...earlier] =
    metric === 'metric'
      ? // A report of a thread with connections and a limit of its own, for which no connection waits here.
        await readMetric(database, watched)
      : await database.transaction(async (tx) => {
          await limitStatements(tx, limit_ms);
          return readMetric(tx, watched);
        });
  const baseline_value = isCompared ? toBaseline(rule, earlier) : null;
  const reading = { value, baseline_value };
  return { period_started_at, next_check_at, ...reading, is_met: isMet(rule, reading) };
}

function toBaseline({ baseline }: ReadRule, earlier: readonly (number | null)[]): number | null {
  const known = earlier.filter((value) => value !== null).toSorted((a, b) => a - b);
  if (baseline === 'previous') return known[0] ?? null;
  if (known.length < LEAST_USUAL_WEEKS) return null;
  const middle = (known.length - 1) / 2;
  return (known[Math.floor(middle)]! + known[Math.ceil(middle)]!) / 2;
}

async function findPeriods(
  database: Queryable,
  game_id: string,
  { period, baseline }: Pick<AlertRule, 'period' | 'baseline'>,
): Promise<Periods> {
  const weeks = Array.from({ length: USUAL_WEEKS }, (_, index) => 7 * (index + 1));
  const days = baseline === 'previous' ? [1] : weeks;
  const delay = sql`${CHECK_DELAY_MINUTES[period]}::integer * interval '1 minute'`;
  const row = await database.queryOne<Periods>(
    period === 'day'
      ? sql`
          SELECT time_zone,
                 ARRAY[(today - 1)::text] || ARRAY(
                   SELECT (today - 1 - days)::text
                   FROM unnest(${days}::integer[]) WITH ORDINALITY AS back (days, number)
                   ORDER BY number) AS starts,
                 (today - 1)::timestamp AT TIME ZONE time_zone AS period_started_at,
                 (today + 1)::timestamp AT TIME ZONE time_zone + ${delay} AS next_check_at
          FROM (SELECT time_zone, ((now() - ${delay}) AT TIME ZONE time_zone)::date AS today
                FROM games WHERE id = ${game_id}) AS game`
      : sql`
          SELECT time_zone,
                 ARRAY[last::text] || ARRAY(
                   SELECT CASE WHEN ${baseline === 'previous'}::boolean
                     THEN last - interval '1 hour'
                     ELSE (last AT TIME ZONE time_zone - days * interval '1 day')
                       AT TIME ZONE time_zone END::text
                   FROM unnest(${days}::integer[]) WITH ORDINALITY AS back (days, number)
                   ORDER BY number) AS starts,
                 last AS period_started_at,
                 last + interval '2 hours' + ${delay} AS next_check_at
          FROM (SELECT time_zone,
                       date_trunc('hour', now() - ${delay}, time_zone) - interval '1 hour' AS last
                FROM games WHERE id = ${game_id}) AS game`,
  );
  if (row === null) throw notFound('Game not found');
  return row;
}
