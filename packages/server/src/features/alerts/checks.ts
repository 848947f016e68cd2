import type { Alert } from '@overworld/contract/alerts/alerts';
import type { BaseLogger } from 'pino';
import type { Background } from '../../platform/background.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { lockDueAlert, measureCheckLag, putOffCheck, recordCheck } from './alert-store.ts';
import type { DueAlert } from './alert-store.ts';
import { deleteOldChanges } from './change-store.ts';
import { postNews } from './notifications.ts';
import { readRule } from './readings.ts';
import type { ReadMetric } from './readings.ts';

/** Checks alerts from now on. Several servers divide them: each check is made once. */
export function startChecks(options: {
  database: Database;
  background: Background;
  logger: BaseLogger;
  metrics: Metrics;
  readMetric: ReadMetric;
}): void {
  const { database, background, metrics } = options;
  const countCheck = metrics.addCounter({
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
  background.every(1_000, 'checking alerts', () => checkDueAlerts({ ...options, countCheck }));
  background.every(600_000, 'forgetting old changes of alerts', () => deleteOldChanges(database));
}

interface CheckOptions {
  database: Database;
  logger: BaseLogger;
  readMetric: ReadMetric;
  countCheck: (outcome: Alert['state'] | 'failed') => void;
}

/** Checks the alerts that are due, one after the other. One that fails is put off. */
export async function checkDueAlerts(options: CheckOptions): Promise<void> {
  let has_more = true;
  while (has_more) has_more = await checkNext(options);
}

/** @returns whether an alert was due. */
async function checkNext(options: CheckOptions): Promise<boolean> {
  const { database, logger, readMetric, countCheck } = options;
  let due = null as DueAlert | null;
  try {
    const outcome = await database.transaction(async (tx) => {
      due = await lockDueAlert(tx);
      return due && check(tx, due, readMetric);
    });
    if (outcome !== null) countCheck(outcome);
  } catch (error) {
    if (due === null) throw error;
    const { game_id, id: alert_id } = due;
    countCheck('failed');
    logger.warn({ err: error, game_id, alert_id }, 'an alert could not be checked');
    await putOffCheck(database, { game_id, alert_id });
  }
  return due !== null;
}

/** @returns the state by this period alone. */
async function check(
  tx: Queryable,
  alert: DueAlert,
  readMetric: ReadMetric,
): Promise<Alert['state']> {
  const { is_met, ...reading } = await readRule(tx, readMetric, alert, alert);
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
