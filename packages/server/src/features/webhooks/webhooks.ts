import { randomUUID } from 'node:crypto';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { createWebhook, updateWebhook, Webhook } from '@overworld/contract/webhooks/webhooks';
import type { BodyOf } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { sealSecret } from '../../platform/auth/sealing.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeDefinitions } from '../../platform/game-change.ts';
import { notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/game-change.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import { deleteMessages, giveUpWaiting } from './given-up.ts';
import { makeWebhookSecret } from './signature.ts';
import * as store from './webhook-store.ts';
import type { WebhookKey } from './webhook-store.ts';
import { hideSecretParts, readWebhookUrl } from './webhook-url.ts';

interface WebhookServices {
  listeners: Listeners;
  /** True if webhooks may be in a private network. */
  allow_private: boolean;
}

type ShownOnce = Webhook & { secret: string };

/** The 404 error of operations on an unknown webhook. */
export const webhookNotFound = () => notFound('Webhook not found');

/** Makes functions that change webhooks. Each change takes effect on every server at once, and is audited. */
export function createWebhooks({ listeners, allow_private }: WebhookServices) {
  const change = <T>(database: Database, game_id: string, actor: Actor, work: Work<T>) =>
    changeDefinitions(database, listeners, { game_id, actor }, work);

  return {
    create: (
      database: Database,
      game_id: string,
      sent: BodyOf<typeof createWebhook>,
      actor: Actor,
    ) => {
      const { description = '', environments = [...ENVIRONMENTS], events } = sent;
      const settings = { description, environments, events };
      const url = readWebhookUrl(sent.url, allow_private);
      return change(database, game_id, actor, async (tx, record): Promise<ShownOnce> => {
        await requireRoom(tx, game_id, 'webhooks', await store.countWebhooks(tx, game_id));
        const key = { game_id, webhook_id: randomUUID() };
        const secret = makeWebhookSecret();
        const sealed = await sealSecret(tx, store.ownerOfSecret(key), secret);
        const webhook = await store.insertWebhook(tx, key, { url, ...settings }, sealed);
        const details = { webhook_id: webhook.id, environments, events };
        await record('create_webhook', hideSecretParts(url), details);
        return { ...webhook, secret };
      });
    },

    update: async (
      database: Database,
      key: WebhookKey,
      sent: BodyOf<typeof updateWebhook>,
      actor: Actor,
    ) => {
      const { enabled, ...rest } = sent;
      const settings =
        rest.url === undefined ? rest : { ...rest, url: readWebhookUrl(rest.url, allow_private) };
      // If a server stopped while it gave up the messages, some still wait, and they must not be sent now.
      if (enabled === true && (await store.findWebhook(database, key))?.disabled_at) {
        await giveUpWaiting(database, key);
      }
      const updated = await change(
        database,
        key.game_id,
        actor,
        async (tx, record): Promise<Webhook> => {
          const before = await store.findWebhook(tx, key);
          const changed = await store.updateWebhook(tx, key, settings);
          if (before === null || changed === null) throw webhookNotFound();
          const url = changed.url === before.url ? undefined : 'changed';
          await record('update_webhook', hideSecretParts(changed.url), {
            webhook_id: key.webhook_id,
            ...settings,
            url,
            enabled,
          });
          if (enabled === true && changed.disabled_at !== null) {
            return (await store.enableWebhook(tx, key)) ?? changed;
          }
          if (enabled === false) return (await store.disableWebhook(tx, key, 'member')) ?? changed;
          return changed;
        },
      );
      if (enabled === false) await giveUpWaiting(database, key);
      return updated;
    },

    rotateSecret: (database: Database, key: WebhookKey, actor: Actor) =>
      change(database, key.game_id, actor, async (tx, record): Promise<ShownOnce> => {
        const secret = makeWebhookSecret();
        const sealed = await sealSecret(tx, store.ownerOfSecret(key), secret);
        const webhook = await store.replaceSecret(tx, key, sealed);
        if (webhook === null) throw webhookNotFound();
        await record('rotate_webhook_secret', hideSecretParts(webhook.url), {
          webhook_id: key.webhook_id,
        });
        return { ...webhook, secret };
      }),

    remove: async (database: Database, key: WebhookKey, actor: Actor): Promise<void> => {
      await change(database, key.game_id, actor, async (tx, record) => {
        const url = await store.deleteWebhook(tx, key);
        if (url === null) throw webhookNotFound();
        await record('delete_webhook', hideSecretParts(url), { webhook_id: key.webhook_id });
      });
      await deleteMessages(database, key);
    },
  };
}
