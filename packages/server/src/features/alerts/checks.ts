import type { Alert } from '@overworld/contract/alerts/alerts';
import type { BaseLogger } from 'pino';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import type { Platform } from '../../platform/platform.ts';
import { deleteOldChanges } from './alert-store.ts';
import { isPastLimit } from './check-limit.ts';
import {
  claimDueAlert,
  listDueGames,
  lockClaimed,
  measureCheckLag,
  recordCheck,
  recordProblem,
} from './due-alerts.ts';
import type { AlertClass, DueAlert } from './due-alerts.ts';
import { postNews, postProblem } from './notifications.ts';
import { readRule } from './readings.ts';
import type { Reading, ReadMetric } from './readings.ts';

/** Checks alerts from now on. Several servers share the work, and each check is made once. */
export function startChecks(
  options: Pick<Platform, 'database' | 'background' | 'metrics'> & {
    logger: BaseLogger;
    readMetric: ReadMetric;
  },
): void {
  const { database, background, metrics } = options;
  const countCheck = metrics.addLabelledCounter({
    name: 'overworld_alert_checks_total',
    help: 'Checks of alerts by outcome: ok, firing, unknown (too little data) or failed.',
    label: 'outcome',
  });
  metrics.addGauge({
    name: 'overworld_alert_lag_seconds',
    of_workers: 'first',
    help: 'Time since a check of an alert was due, of the alert that is due longest.',
    read: () => measureCheckLag(database),
  });
  const check = (classes: readonly AlertClass[]) =>
    checkDueAlerts({ ...options, countCheck, isStopping: () => background.is_closed }, classes);
  background.every(1_000, 'checking alerts', () => check(NUMBERS));
  // Metrics of games wait for reports, so no other alert waits for them.
  background.every(1_000, 'checking alerts on metrics', () => check(['metrics', 'slow_metrics']));
  background.onOneServer(600_000, 'forgetting old changes of alerts', () =>
    deleteOldChanges(database),
  );
}

interface CheckOptions {
  database: GroupedDatabase;
  logger: BaseLogger;
  readMetric: ReadMetric;
  countCheck: (outcome: Alert['state'] | 'failed') => void;
  /** The maximum duration of one SQL statement of a check; by default, `MAX_CHECK_SECONDS`. */
  limit_ms?: number;
  /** True once the server stops. The alerts that are due then are left to other servers. */
  isStopping?: () => boolean;
}

/** The classes of all alerts but those on metrics of games. */
export const NUMBERS: readonly AlertClass[] = ['counts', 'payers', 'slow_payers'];

/**
 * Checks the alerts that are due, one at a time. Games take turns. After each alert of a class, all due alerts
 * of the classes before it are checked. So an alert waits for at most one alert of a later class, and those
 * that took too long hold up nobody but each other.
 */
export async function checkDueAlerts(
  options: CheckOptions,
  classes: readonly AlertClass[],
): Promise<void> {
  const turns = classes.map((each) => checkInTurn(options, each));
  for (let place = 0; place < turns.length && options.isStopping?.() !== true;) {
    place = (await turns[place]!.next()).value ? 0 : place + 1;
  }
}

/**
 * Checks one due alert of each game, then lists the games anew, and so on.
 * @yields true after each check, and false when no game of a list had a due alert.
 */
async function* checkInTurn(options: CheckOptions, of: AlertClass): AsyncGenerator<boolean> {
  for (;;) {
    let is_any_due = false;
    for (const game_id of await listDueGames(options.database, of)) {
      if (!(await checkNext(options, game_id, of))) continue;
      is_any_due = true;
      yield true;
    }
    if (!is_any_due) yield false;
  }
}

/**
 * Checks a due alert of a game. An alert that cannot be checked is put off.
 * @returns whether an alert was due.
 */
async function checkNext(options: CheckOptions, game_id: string, of: AlertClass): Promise<boolean> {
  const { logger, readMetric, countCheck, limit_ms } = options;
  const game = options.database.ofGame(game_id);
  const due = await claimDueAlert(game, game_id, of);
  if (due === null) return false;
  try {
    const reading = await readRule(game, readMetric, due, due, { limit_ms });
    const outcome = await game.transaction((tx) => record(tx, due, reading));
    if (outcome !== null) countCheck(outcome);
  } catch (error) {
    countCheck('failed');
    logger.warn({ err: error, game_id, alert_id: due.id }, 'an alert could not be checked');
    await putOff(game, due, isPastLimit(error) ? 'too_slow' : 'failed');
  }
  return true;
}

/**
 * Puts off an alert. If its number takes too long to compute, members are told at once, because later
 * checks will probably fail too, until a member changes the rule. What members changed meanwhile counts.
 */
const putOff = (database: Database, due: DueAlert, problem: NonNullable<Alert['problem']>) =>
  database.transaction(async (tx) => {
    const alert = await lockClaimed(tx, due);
    if (alert === null) return;
    const is_new = problem === 'too_slow' && alert.problem !== 'too_slow';
    const is_news = is_new && !alert.muted && alert.may_tell_problem;
    await recordProblem(tx, { game_id: alert.game_id, alert_id: alert.id }, problem, is_news);
    if (is_news) await postProblem(tx, alert, problem);
  });

/**
 * Records what a claimed alert has read, and tells its recipients.
 * @returns the state that follows from this period only; null when the alert has changed meanwhile.
 */
async function record(
  tx: Queryable,
  claimed: DueAlert,
  { is_met, ...reading }: Reading,
): Promise<Alert['state'] | null> {
  const alert = await lockClaimed(tx, claimed);
  if (alert === null) return null;
  // A period with too little data says nothing new.
  const outcome = is_met === null ? 'unknown' : is_met ? 'firing' : 'ok';
  const state = outcome === 'unknown' ? alert.state : outcome;
  const fires = state === 'firing' && alert.state !== 'firing' && alert.is_cool;
  const resolves = state === 'ok' && alert.is_notified;
  const notifies = !alert.muted && (fires || resolves);
  await recordCheck(tx, alert, { ...reading, state, notifies });
  if (notifies) {
    const type = fires ? 'alert.fired' : 'alert.resolved';
    const { period_started_at, value, baseline_value } = reading;
    await postNews(tx, alert, { type, period_started_at, value, baseline_value, is_test: false });
  }
  return outcome;
}
