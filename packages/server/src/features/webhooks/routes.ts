import * as deliveries from '@overworld/contract/webhooks/deliveries';
import { TEST_EVENT } from '@overworld/contract/webhooks/service-events';
import * as contract from '@overworld/contract/webhooks/webhooks';
import { hasRole } from '../../platform/auth/accounts.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import { listDeliveries } from './delivery-store.ts';
import { retryDelivery, sendTest } from './deliveries.ts';
import { defineDisabledMail } from './disabled-mail.ts';
import { findWebhook, listWebhooks } from './webhook-store.ts';
import { hideSecretParts } from './webhook-url.ts';
import { createWebhooks, webhookNotFound } from './webhooks.ts';

export function mountWebhooks(api: Api, listeners: Listeners, allow_private: boolean): void {
  const { database } = api;
  defineDisabledMail(api);
  const webhooks = createWebhooks({ database, listeners, allow_private });

  implement(api, contract.listWebhooks, async ({ params, query, role }) => {
    const game = database.ofGame(params.game_id);
    const { page, ...rest } = await readPage(game, query, (from, range) =>
      listWebhooks(from, params.game_id, range),
    );
    if (hasRole(role, 'admin')) return { webhooks: page, ...rest };
    const shown = page.map((webhook) => ({ ...webhook, url: hideSecretParts(webhook.url) }));
    return { webhooks: shown, ...rest };
  });

  implement(api, contract.createWebhook, ({ params, body, actor }) =>
    webhooks.create(params.game_id, body, actor),
  );

  implement(api, contract.updateWebhook, ({ params, body, actor }) =>
    webhooks.update(params, body, actor),
  );

  implement(api, contract.rotateWebhookSecret, ({ params, actor }) =>
    webhooks.rotateSecret(params, actor),
  );

  implement(api, contract.deleteWebhook, ({ params, actor }) => webhooks.remove(params, actor));

  implement(api, deliveries.listWebhookDeliveries, async (call) => {
    const { params, query, role, owner, signal } = call;
    const game = database.ofGame(params.game_id);
    if ((await findWebhook(game, params)) === null) throw webhookNotFound();
    const read = () =>
      readPage(game, query, (from, range) => listDeliveries(from, params, query.state, range));
    const { page, ...rest } = await api.reads.run(owner, read, signal);
    if (hasRole(role, 'admin')) return { deliveries: page, ...rest };
    // The answer may repeat the path or the headers of the request, and with them the secret.
    const shown = page.map((delivery) => ({ ...delivery, answer_text: null }));
    return { deliveries: shown, ...rest };
  });

  implement(api, deliveries.testWebhook, ({ params, actor }) =>
    sendTest(database.ofGame(params.game_id), params, TEST_EVENT, {}, actor),
  );

  implement(api, deliveries.retryWebhookDelivery, ({ params, actor }) =>
    retryDelivery(database.ofGame(params.game_id), params, actor),
  );
}
