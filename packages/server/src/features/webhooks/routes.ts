import * as deliveries from '@overworld/contract/webhooks/deliveries';
import { TEST_EVENT } from '@overworld/contract/webhooks/service-events';
import * as contract from '@overworld/contract/webhooks/webhooks';
import { hasRole } from '../../platform/auth/accounts.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { createListeners } from '../../platform/webhooks/listeners.ts';
import { webhookKind } from './definition-kind.ts';
import { listDeliveries } from './delivery-store.ts';
import { retryDelivery, sendTest } from './deliveries.ts';
import { defineDisabledMail } from './disabled-mail.ts';
import { webhookSource } from './player-data.ts';
import { startSending } from './sending.ts';
import { findWebhook, listWebhooks } from './webhook-store.ts';
import { hideSecretParts } from './webhook-url.ts';
import { createWebhooks, webhookNotFound } from './webhooks.ts';

/** @returns the webhooks that wait for events, and the player data of webhooks. */
export function mountWebhooks(api: Api) {
  const { opened, hot, notifications, config } = api;
  const allow_private = config.allow_private_webhooks;
  const listeners = createListeners(hot, notifications);
  opened.add(startSending({ ...api, listeners, allow_private }));
  defineDisabledMail(api);
  api.definitions.add(webhookKind(listeners, allow_private));
  const webhooks = createWebhooks({ listeners, allow_private });

  implement(api, contract.listWebhooks, async ({ params, query, role, database }) => {
    const { page, ...rest } = await readPage(database, query, (from, range) =>
      listWebhooks(from, params.game_id, range),
    );
    if (hasRole(role, 'admin')) return { webhooks: page, ...rest };
    const shown = page.map((webhook) => ({ ...webhook, url: hideSecretParts(webhook.url) }));
    return { webhooks: shown, ...rest };
  });

  implement(api, contract.createWebhook, ({ params, body, actor, database }) =>
    webhooks.create(database, params.game_id, body, actor),
  );

  implement(api, contract.updateWebhook, ({ params, body, actor, database }) =>
    webhooks.update(database, params, body, actor),
  );

  implement(api, contract.rotateWebhookSecret, ({ params, actor, database }) =>
    webhooks.rotateSecret(database, params, actor),
  );

  implement(api, contract.deleteWebhook, ({ params, actor, database }) =>
    webhooks.remove(database, params, actor),
  );

  implement(
    api,
    deliveries.listWebhookDeliveries,
    async ({ params, query, role, database, read }) => {
      if ((await findWebhook(database, params)) === null) throw webhookNotFound();
      const { page, ...rest } = await read((group) =>
        readPage(group, query, (from, range) => listDeliveries(from, params, query.state, range)),
      );
      if (hasRole(role, 'admin')) return { deliveries: page, ...rest };
      // The answer may repeat the path or the headers of the request, and with them the secret.
      const shown = page.map((delivery) => ({ ...delivery, answer_text: null }));
      return { deliveries: shown, ...rest };
    },
  );

  implement(api, deliveries.testWebhook, ({ params, actor, database }) =>
    sendTest(database, params, TEST_EVENT, {}, actor),
  );

  implement(api, deliveries.retryWebhookDelivery, ({ params, actor, database }) =>
    retryDelivery(database, params, actor),
  );
  return { listeners, source: webhookSource };
}
