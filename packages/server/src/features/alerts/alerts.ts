import { MAX_CHECK_SECONDS } from '@overworld/contract/alerts/alert-rule';
import type { Alert, createAlert } from '@overworld/contract/alerts/alerts';
import type { BodyOf } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { conflict, notFound, unavailable } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { dropGoneRecipients, readSettings } from './alert-settings.ts';
import * as store from './alert-store.ts';
import type { AlertKey, Recipients } from './alert-store.ts';
import { isPastLimit } from './check-limit.ts';
import { postNews } from './notifications.ts';
import { findNextCheck, readRule } from './readings.ts';
import type { Asker, ReadMetric, Reading, ReadRule } from './readings.ts';

export const NOBODY: Recipients = { account_ids: [], webhook_ids: [] };

/** The caller, and the turns for changes that may take seconds. */
type TestCall = Asker & { change: <T>(work: () => Promise<T>) => Promise<T> };

type Sent = BodyOf<typeof createAlert>;

/** Makes the 404 error of operations on one alert. */
export const alertNotFound = () => notFound('Alert not found');

/** Changes alerts, and writes each change to the audit log. */
export function createAlerts(readMetric: ReadMetric) {
  const read = async (
    database: Database,
    tenant: Tenant,
    rule: ReadRule,
    { owner, signal }: Asker,
  ): Promise<Reading> => {
    try {
      return await readRule(database, readMetric, tenant, rule, { asker: { owner, signal } });
    } catch (error) {
      if (!isPastLimit(error)) throw error;
      throw unavailable(
        `Reading the number took more than ${MAX_CHECK_SECONDS} seconds, so the alert could not be checked either: compare with a value, or with the period before`,
        error,
      );
    }
  };

  return {
    create: (database: Database, game_id: string, sent: Sent, actor: Actor): Promise<Alert> => {
      const asked = readSettings(sent);
      return changeGame(database, { game_id, actor }, async (tx, record) => {
        await requireRoom(tx, game_id, 'alerts', await store.countAlerts(tx, game_id));
        await store.requireMetric(tx, game_id, asked);
        const settings = await dropGoneRecipients(tx, game_id, asked, NOBODY);
        // The first check of a new alert is of the period that has not ended yet. Earlier periods cause no
        // messages.
        const next_check_at = await findNextCheck(tx, game_id, settings);
        const alert = await store.insertAlert(tx, game_id, settings, next_check_at);
        const details = { alert_id: alert.id, ...settings };
        await record('create_alert', alert.name, details);
        return alert;
      });
    },

    put: (database: Database, key: AlertKey, sent: Sent, actor: Actor): Promise<Alert> => {
      const asked = readSettings(sent);
      const { game_id, alert_id } = key;
      return changeGame(database, { game_id, actor }, async (tx, record) => {
        const named = await store.findRecipients(tx, key);
        if (named === null) throw alertNotFound();
        await store.requireMetric(tx, game_id, asked);
        const settings = await dropGoneRecipients(tx, game_id, asked, named);
        const next_check_at = await findNextCheck(tx, game_id, settings);
        const alert = await store.updateAlert(tx, key, settings, next_check_at);
        if (alert === null) throw alertNotFound();
        await record('put_alert', alert.name, { alert_id, ...settings });
        return alert;
      });
    },

    remove: (database: Database, key: AlertKey, actor: Actor): Promise<void> =>
      changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
        const name = await store.deleteAlert(tx, key);
        if (name === null) throw alertNotFound();
        await record('delete_alert', name, { alert_id: key.alert_id });
      }),

    /** Reads the metric of a rule for the last finished period, and stores nothing. */
    read,

    /**
     * Sends a message about the last finished period to the recipients. The message says that it is a test.
     */
    test: async (
      database: Database,
      key: AlertKey,
      actor: Actor,
      { change, ...asker }: TestCall,
    ): Promise<Reading> => {
      const { game_id, alert_id } = key;
      const alert = await store.findAlert(database, key);
      if (alert === null) throw alertNotFound();
      // The period is read before the game is locked, because reading may
      // take long, and other changes of the game would wait for the lock.
      const readNow = () => read(database, { game_id, ...alert }, alert, asker);
      // A metric of the game waits for the turn of a report, so it must not hold a turn that others wait for.
      const reading = await (alert.metric === 'metric' ? readNow() : change(readNow));
      await changeGame(database, { game_id, actor }, async (tx, record) => {
        if ((await store.findAlert(tx, key)) === null) throw alertNotFound();
        if (!(await store.noteTest(tx, key))) {
          throw conflict('This alert was tested a moment ago: try again in a minute');
        }
        const { period_started_at, value, baseline_value } = reading;
        await postNews(
          tx,
          { game_id, ...alert },
          { type: 'alert.fired', period_started_at, value, baseline_value, is_test: true },
        );
        await record('test_alert', alert.name, { alert_id });
      });
      return reading;
    },
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
