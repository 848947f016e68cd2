import type { Alert } from '@overworld/contract/alerts/alerts';
import type { AlertReading } from '@overworld/contract/alerts/alert-words';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { alertColumns, isAlert, presentWebhooks } from './alert-store.ts';
import type { AlertKey } from './alert-store.ts';

/** The maximum number of games that `listDueGames` returns. */
const MAX_GAMES = 1_000;

const wasSlow = sql`problem IS NOT DISTINCT FROM 'too_slow'`;

/**
 * The alerts by the time that their numbers take. Payers and metrics of the game are read from events, which
 * may take seconds. Those that took too long at the last check are classes of their own.
 */
const CLASSES = {
  counts: sql`metric NOT IN ('payers', 'metric')`,
  payers: sql`metric = 'payers' AND NOT (${wasSlow})`,
  slow_payers: sql`metric = 'payers' AND ${wasSlow}`,
  metrics: sql`metric = 'metric' AND NOT (${wasSlow})`,
  slow_metrics: sql`metric = 'metric' AND ${wasSlow}`,
} satisfies Record<string, Sql>;

export type AlertClass = keyof typeof CLASSES;

/** A claim is longer than any check. An alert whose server has died is checked when its claim ends. */
const CLAIM = sql`interval '2 minutes'`;

/** Makes SQL that is true for the due alerts of a class that no server is checking. */
const isDue = (of: AlertClass) => sql`
  next_check_at <= now() AND (claimed_until IS NULL OR claimed_until < now()) AND ${CLASSES[of]}`;

/** Lists the games with due alerts. Games whose alerts have been due for longest come first. */
export async function listDueGames(database: Queryable, of: AlertClass): Promise<string[]> {
  const rows = await database.query<{ game_id: string }>(sql`
    SELECT game_id FROM alerts WHERE ${isDue(of)}
    GROUP BY game_id ORDER BY min(next_check_at), game_id LIMIT ${MAX_GAMES}::integer`);
  return rows.map(({ game_id }) => game_id);
}

/** In this time, an alert tells members only once that its number takes too long to compute. */
const PROBLEM_SILENCE = sql`interval '1 day'`;

/** A due alert that this server checks. */
export interface DueAlert extends Alert {
  game_id: string;
  /** Proves the claim, because a later claim ends at another time. */
  claim: string;
  is_notified: boolean;
  /** True if the alert may notify members when it fires, because its cool-down time is over. */
  is_cool: boolean;
  /** True if members may be told that the number takes too long, because `PROBLEM_SILENCE` is over. */
  may_tell_problem: boolean;
}

const dueColumns = sql`game_id, ${alertColumns}, is_notified, claimed_until::text AS claim,
  COALESCE(notified_at < now() - cool_down_hours * interval '1 hour', true) AS is_cool,
  COALESCE(problem_told_at < now() - ${PROBLEM_SILENCE}, true) AS may_tell_problem`;

/**
 * Claims the alert of a game that has been due for longest. Its number is then read without a lock, so that
 * members can change the alert meanwhile.
 */
export const claimDueAlert = (
  database: Queryable,
  game_id: string,
  of: AlertClass,
): Promise<DueAlert | null> =>
  database.queryOne(sql`
    WITH due AS (
      SELECT id FROM alerts WHERE game_id = ${game_id} AND ${isDue(of)}
      ORDER BY next_check_at
      LIMIT 1
      FOR NO KEY UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE alerts SET claimed_until = now() + ${CLAIM} FROM due
      WHERE alerts.game_id = ${game_id} AND alerts.id = due.id
      RETURNING alerts.*
    ), ${presentWebhooks(game_id)}
    SELECT ${dueColumns} FROM claimed AS alerts`);

/**
 * Locks a claimed alert, and reads it anew. Null when it is gone, is no longer due because its rule has
 * changed, or was claimed again because the check took too long.
 */
export const lockClaimed = (
  tx: Queryable,
  { game_id, id, claim }: DueAlert,
): Promise<DueAlert | null> =>
  tx.queryOne(sql`
    WITH ${presentWebhooks(game_id)}
    SELECT ${dueColumns} FROM alerts
    WHERE game_id = ${game_id} AND id = ${id} AND claimed_until = ${claim}::timestamptz
      AND next_check_at <= now()
    FOR NO KEY UPDATE`);

/** A period that was checked, with the results of the check. */
export interface CheckedPeriod extends AlertReading {
  period_started_at: string;
  next_check_at: string;
  state: Alert['state'];
  /** True if mails and messages go out now. */
  notifies: boolean;
}

/** Stores the result of a check, and adds an entry to the history if the state has changed. */
export async function recordCheck(
  tx: Queryable,
  { game_id, id, state: before }: DueAlert,
  checked: CheckedPeriod,
): Promise<void> {
  const { period_started_at, next_check_at, state, value, baseline_value, notifies } = checked;
  await tx.execute(sql`
    UPDATE alerts
    SET state = ${state}, last_period = ${period_started_at}, last_value = ${value},
        last_baseline_value = ${baseline_value}, next_check_at = ${next_check_at}, problem = NULL,
        claimed_until = NULL,
        state_since = CASE WHEN state = ${state} THEN state_since ELSE moment END,
        notified_at = CASE WHEN ${notifies && state === 'firing'} THEN moment ELSE notified_at END,
        is_notified = CASE WHEN ${state} = 'firing' THEN is_notified OR ${notifies} ELSE false END
    FROM (SELECT now() AS moment) AS clock
    WHERE game_id = ${game_id} AND id = ${id}`);
  if (state === before) return;
  await tx.execute(sql`
    INSERT INTO alert_changes
      (game_id, alert_id, state, period_started_at, value, baseline_value, notified)
    VALUES (${game_id}, ${id}, ${state}, ${period_started_at}, ${value}, ${baseline_value},
            ${notifies})`);
}

/**
 * The minutes until a failed check is repeated. The wait is longer after a check
 * that took too long, because its next attempt may delay other alerts again.
 */
const REPEATED_AFTER_MINUTES = { too_slow: 60, failed: 10 };

/**
 * Puts off a locked alert that could not be checked.
 * @param is_told True if members are told of the problem now.
 */
export async function recordProblem(
  tx: Queryable,
  alert: AlertKey,
  problem: NonNullable<Alert['problem']>,
  is_told: boolean,
): Promise<void> {
  await tx.execute(sql`
    UPDATE alerts
    SET problem = ${problem}, claimed_until = NULL,
        problem_told_at = CASE WHEN ${is_told} THEN moment ELSE problem_told_at END,
        next_check_at = now() + ${REPEATED_AFTER_MINUTES[problem]}::integer * interval '1 minute'
    FROM (SELECT now() AS moment) AS clock
    WHERE ${isAlert(alert)}`);
}

/** Measures for how many seconds the oldest due check has waited. */
export async function measureCheckLag(database: Queryable): Promise<number> {
  const row = await database.queryOne<{ seconds: number }>(sql`
    SELECT COALESCE(extract(epoch FROM now() - min(next_check_at)), 0)::float8 AS seconds
    FROM alerts WHERE next_check_at <= now()`);
  return row!.seconds;
}
