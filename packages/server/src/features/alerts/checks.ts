import type { BaseLogger } from 'pino';
import type { Background } from '../../platform/background.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { lockDueAlert, putOffCheck, recordCheck } from './alert-store.ts';
import { deleteOldChanges } from './change-store.ts';
import { postNews } from './notifications.ts';
import { readRule } from './readings.ts';
import type { ReadMetric } from './readings.ts';

/** Checks alerts from now on. Several servers divide them: each check is made once. */
export function startChecks(options: {
  database: Database;
  background: Background;
  logger: BaseLogger;
  readMetric: ReadMetric;
}): void {
  const { database, background } = options;
  background.every(1_000, 'checking alerts', () => checkDueAlerts(options));
  background.every(600_000, 'forgetting old changes of alerts', () => deleteOldChanges(database));
}

/** Checks the alerts that are due, one after the other. One that fails is put off. */
export async function checkDueAlerts({
  database,
  logger,
  readMetric,
}: {
  database: Database;
  logger: BaseLogger;
  readMetric: ReadMetric;
}): Promise<void> {
  let has_more = true;
  while (has_more) {
    try {
      has_more = await database.transaction((tx) => checkNext(tx, readMetric));
    } catch (error) {
      logger.warn({ err: error }, 'an alert could not be checked');
      await putOffCheck(database);
    }
  }
}

async function checkNext(tx: Queryable, readMetric: ReadMetric): Promise<boolean> {
  const alert = await lockDueAlert(tx);
  if (alert === null) return false;
  const { is_met, ...reading } = await readRule(tx, readMetric, alert, alert);
  // A period with too little data says nothing new.
  const state = is_met === null ? alert.state : is_met ? 'firing' : 'ok';
  const fires = state === 'firing' && alert.state !== 'firing' && alert.is_cool;
  const resolves = state === 'ok' && alert.is_notified;
  const notifies = !alert.muted && (fires || resolves);
  await recordCheck(tx, alert, { ...reading, state, notifies });
  if (notifies) {
    const type = fires ? 'alert.fired' : 'alert.resolved';
    const { period_started_at, value, baseline_value } = reading;
    await postNews(tx, alert, { type, period_started_at, value, baseline_value, is_test: false });
  }
  return true;
}
