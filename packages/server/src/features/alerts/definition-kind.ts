import type { AlertPeriod } from '@overworld/contract/alerts/alert-words';
import type { Queryable } from '../../platform/database/database.ts';
import type {
  AskTrialInTurns,
  Definition,
  DefinitionChange,
  DefinitionKind,
} from '../../platform/definitions/definition-kind.ts';
import { keyThings, listNamesakes, readKey } from '../../platform/definitions/keys.ts';
import { readOnce } from '../../platform/definitions/read-once.ts';
import { badRequest } from '../../platform/errors.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { dropGoneRecipients, readSettings } from './alert-settings.ts';
import * as store from './alert-store.ts';
import type { AlertSettings } from './alert-store.ts';
import { alertNotFound, NOBODY } from './alerts.ts';
import { findNextCheck } from './readings.ts';

/**
 * Alerts as files, without the members that they tell: an alert keeps those that it has, and a new one has none
 * until somebody chooses them. The ids of webhooks are the keys of their files.
 * @param askTrialInTurns Says what an alert would have done.
 */
export function alertKind(askTrialInTurns: AskTrialInTurns): DefinitionKind {
  const readKeyedOnce = readOnce(({ tx, game_id }) => readKeyed(tx, game_id));
  const readChecks = readOnce(() => Promise.resolve(new Map<AlertPeriod, string>()));
  /** Finds the time of the first check, which all alerts of a period have in common. */
  const findCheck = async (change: DefinitionChange, settings: AlertSettings): Promise<string> => {
    const checks = await readChecks(change);
    const { period } = settings;
    const at = checks.get(period) ?? (await findNextCheck(change.tx, change.game_id, settings));
    checks.set(period, at);
    return at;
  };
  return {
    name: 'alert',
    async list(tx, game_id) {
      const keyed = await readKeyed(tx, game_id);
      return new Map([...keyed].map(([key, alert]) => [key, show(alert)]));
    },
    complete: (definition, _exact, key) => show(settingsOf(key, definition)),
    async requireRoom({ tx, game_id }, added) {
      await requireRoom(tx, game_id, 'alerts', await store.countAlerts(tx, game_id), added);
    },
    async create(change, key, definition) {
      const { tx, game_id } = change;
      const wanted = settingsOf(key, definition);
      await store.requireMetric(tx, game_id, wanted);
      const settings = await dropGoneRecipients(tx, game_id, wanted, NOBODY);
      const next_check_at = await findCheck(change, settings);
      await store.insertAlert(tx, game_id, settings, next_check_at);
    },
    async update(change, key, definition) {
      const { tx, game_id } = change;
      const found = (await readKeyedOnce(change)).get(key);
      if (found === undefined) throw alertNotFound();
      const { id: alert_id, name, account_ids } = found;
      const wanted = { ...settingsOf(key, definition), name, account_ids };
      await store.requireMetric(tx, game_id, wanted);
      // Members drop out as they leave, but a file must not name a webhook that is gone.
      const named = { account_ids, webhook_ids: [] };
      const settings = await dropGoneRecipients(tx, game_id, wanted, named);
      const next_check_at = await findCheck(change, settings);
      await store.updateAlert(tx, { game_id, alert_id }, settings, next_check_at);
    },
    async delete(change, key) {
      const { tx, game_id } = change;
      const keyed = await readKeyedOnce(change);
      const found = keyed.get(key);
      if (found === undefined) throw alertNotFound();
      // Without it, the others of its name would have other keys.
      for (const { thing, name } of listNamesakes(keyed)) {
        await store.renameAlert(tx, { game_id, alert_id: thing.id }, name);
        thing.name = name;
      }
      await store.deleteAlert(tx, { game_id, alert_id: found.id });
    },
    askTrialInTurns,
    async findBroken({ tx, game_id }, wanted) {
      const present = new Set(await store.listWebhookIds(tx, game_id));
      for (const [key, { webhook_ids }] of wanted) {
        const gone = (webhook_ids as string[]).find((id) => !present.has(id));
        if (gone === undefined) continue;
        const words = `webhook_ids must be webhooks of the game, and the plan deletes ${gone}`;
        return { key, error: badRequest(words) };
      }
      return null;
    },
  };
}

const readKeyed = async (tx: Queryable, game_id: string) =>
  keyThings(await store.listSettings(tx, game_id));

/** @throws ApiError 400. */
export const settingsOf = (key: string, definition: Definition): AlertSettings =>
  readSettings({ ...(definition as Parameters<typeof readSettings>[0]), ...readKey(key) });

/** Shows the members that files have. */
const show = ({
  metric,
  metric_key,
  event_name,
  period,
  comparison,
  threshold,
  baseline,
  cool_down_hours,
  muted,
  webhook_ids,
}: AlertSettings): Definition => ({
  metric,
  ...(metric_key !== null && { metric_key }),
  ...(event_name !== null && { event_name }),
  period,
  comparison,
  threshold,
  baseline,
  cool_down_hours,
  muted,
  // Their order means nothing.
  webhook_ids: [...new Set(webhook_ids.map((id) => id.toLowerCase()))].toSorted(),
});
