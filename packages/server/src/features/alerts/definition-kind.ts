import type { Queryable } from '../../platform/database/database.ts';
import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { keyThings, listNamesakes, readKey } from '../../platform/definitions/keys.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { dropGoneRecipients, readSettings } from './alert-settings.ts';
import * as store from './alert-store.ts';
import type { AlertSettings, StoredSettings } from './alert-store.ts';
import { alertNotFound, NOBODY } from './alerts.ts';
import { findNextCheck } from './readings.ts';

/**
 * Alerts as files, without the members that they tell: an alert keeps those that it has, and a new one has none
 * until somebody chooses them. The ids of webhooks are the keys of their files.
 */
export function alertKind(): DefinitionKind {
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
    async create({ tx, game_id }, key, definition) {
      const wanted = settingsOf(key, definition);
      const settings = await dropGoneRecipients(tx, game_id, wanted, NOBODY);
      const next_check_at = await findNextCheck(tx, game_id, settings);
      await store.insertAlert(tx, game_id, settings, next_check_at);
    },
    async update({ tx, game_id }, key, definition) {
      const { id: alert_id, name, account_ids } = await find(tx, game_id, key);
      const wanted = { ...settingsOf(key, definition), name, account_ids };
      // Members drop out as they leave, but a file must not name a webhook that is gone.
      const named = { account_ids, webhook_ids: [] };
      const settings = await dropGoneRecipients(tx, game_id, wanted, named);
      const next_check_at = await findNextCheck(tx, game_id, settings);
      await store.updateAlert(tx, { game_id, alert_id }, settings, next_check_at);
    },
    async delete({ tx, game_id }, key) {
      const keyed = await readKeyed(tx, game_id);
      const found = keyed.get(key);
      if (found === undefined) throw alertNotFound();
      // Without it, the others of its name would have other keys.
      for (const { thing, name } of listNamesakes(keyed)) {
        await store.renameAlert(tx, { game_id, alert_id: thing.id }, name);
      }
      await store.deleteAlert(tx, { game_id, alert_id: found.id });
    },
  };
}

const readKeyed = async (tx: Queryable, game_id: string) =>
  keyThings(await store.listSettings(tx, game_id));

async function find(tx: Queryable, game_id: string, key: string): Promise<StoredSettings> {
  const found = (await readKeyed(tx, game_id)).get(key);
  if (found === undefined) throw alertNotFound();
  return found;
}

/** @throws ApiError 400. */
const settingsOf = (key: string, definition: Definition): AlertSettings =>
  readSettings({ ...(definition as Parameters<typeof readSettings>[0]), ...readKey(key) });

/** Shows the members that files have. */
const show = ({
  metric,
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
