import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import { sealSecret } from '../../platform/auth/sealing.ts';
import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import { deleteEarlierMessages, deleteMessages, giveUpWaiting, isGivingUp } from './given-up.ts';
import { makeWebhookSecret } from './signature.ts';
import * as store from './webhook-store.ts';
import type { DisabledReason } from './webhook-store.ts';
import { hideSecretParts, isHiddenUrl, readWebhookUrl } from './webhook-url.ts';
import { webhookNotFound } from './webhooks.ts';

interface Settings {
  url: string;
  description: string;
  environments: Environment[];
  events: string[];
  enabled: boolean;
}

const DEFAULTS = { description: '', environments: ENVIRONMENTS, enabled: true };

/**
 * Webhooks as files, by their ids. Their secrets are not in the files: a new webhook gets one that nobody sees,
 * and an admin replaces it.
 */
export function webhookKind(listeners: Listeners, allow_private: boolean): DefinitionKind {
  return {
    name: 'webhook',
    async list(tx, game_id) {
      const listed = await store.listAllWebhooks(tx, game_id);
      return new Map(
        listed.map(({ id, disabled_reason, ...settings }) => [
          id,
          { ...settings, enabled: isEnabled(disabled_reason) },
        ]),
      );
    },
    complete({ url, ...rest }, _exact, key) {
      if (key !== key.toLowerCase()) throw badRequest('key must be in small letters');
      const text = url as string;
      const read = isHiddenUrl(text)
        ? hideSecretParts(readWebhookUrl(text, allow_private))
        : readWebhookUrl(text, allow_private);
      return { url: read, ...DEFAULTS, ...rest };
    },
    settle: (wanted, present) =>
      new Map([...wanted].map(([key, it]) => [key, { ...it, url: findUrl(it, present.get(key)) }])),
    concealed: { url: (url) => hideSecretParts(url as string) },
    async requireRoom({ tx, game_id }, added) {
      const count = await store.countWebhooks(tx, game_id);
      await requireRoom(tx, game_id, 'webhooks', count, added);
    },
    async create({ tx, game_id }, webhook_id, definition) {
      const key = { game_id, webhook_id };
      const { enabled, ...settings } = settingsOf(definition);
      await deleteEarlierMessages(tx, key);
      const sealed = await sealSecret(tx, store.ownerOfSecret(key), makeWebhookSecret());
      await store.insertWebhook(tx, key, settings, sealed);
      if (!enabled) await store.disableWebhook(tx, key, 'member');
    },
    async update({ tx, game_id, afterCommit }, webhook_id, definition) {
      const key = { game_id, webhook_id };
      const { enabled, ...settings } = settingsOf(definition);
      const changed = await store.updateWebhook(tx, key, settings);
      if (changed === null) throw webhookNotFound();
      const was_enabled = isEnabled(changed.disabled_reason);
      if (enabled === was_enabled) return;
      if (enabled && (await isGivingUp(tx, key))) {
        throw conflict('Its earlier messages are still being given up. Apply the plan again');
      }
      // One that failures have disabled is disabled anew, by a member.
      await store.enableWebhook(tx, key);
      if (enabled) return;
      await store.disableWebhook(tx, key, 'member');
      afterCommit((database) => giveUpWaiting(database, key));
    },
    async delete({ tx, game_id, afterCommit }, webhook_id) {
      const key = { game_id, webhook_id };
      if ((await store.deleteWebhook(tx, key)) === null) throw webhookNotFound();
      afterCommit((database) => deleteMessages(database, key));
    },
    roleFor: () => 'admin',
    async announce(tx, game_id) {
      await listeners.invalidateOnCommit(tx, game_id);
      return () => listeners.evict(game_id);
    },
  };
}

/** A webhook that failures have disabled is one that its studio wants. */
const isEnabled = (reason: DisabledReason | null): boolean => reason !== 'member';

/** Finds the address of which a file hides a part. */
function findUrl({ url }: Definition, present: Definition | undefined): unknown {
  if (present === undefined || !isHiddenUrl(url as string)) return url;
  return hideSecretParts(present.url as string) === url ? present.url : url;
}

/** @throws ApiError 400 when a part of the address is hidden, and the game does not have it. */
function settingsOf(definition: Definition): Settings {
  const settings = definition as unknown as Settings;
  if (!isHiddenUrl(settings.url)) return settings;
  throw badRequest('url must be whole: … stands for a path that this game has, and it has none');
}
