import { listAlertChanges } from '@overworld/contract/alerts/alert-history';
import * as contract from '@overworld/contract/alerts/alerts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { findAlert, listAlerts, listChanges } from './alert-store.ts';
import { alertNotFound, createAlerts } from './alerts.ts';
import { defineAlertMail } from './notifications.ts';
import type { ReadMetric, Reading } from './readings.ts';

export function mountAlerts(api: Api, readMetric: ReadMetric): void {
  const { database, reads } = api;
  defineAlertMail(api);
  const alerts = createAlerts(database, readMetric);

  implement(api, contract.listAlerts, async ({ params, query }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const game = database.ofGame(params.game_id);
    const { page, ...rest } = await readPage(game, query, (from, range) =>
      listAlerts(from, tenant, range),
    );
    return { alerts: page, ...rest };
  });

  implement(api, contract.createAlert, ({ params, body, actor }) =>
    alerts.create(params.game_id, body, actor),
  );

  implement(api, contract.putAlert, ({ params, body, actor }) => alerts.put(params, body, actor));

  implement(api, contract.deleteAlert, ({ params, actor }) => alerts.remove(params, actor));

  implement(api, contract.previewAlert, async ({ params, body, owner, signal }) =>
    toAnswer(await reads.run(owner, () => alerts.preview(params.game_id, body), signal)),
  );

  implement(api, contract.testAlert, async ({ params, actor, owner, signal }) =>
    toAnswer(await reads.run(owner, () => alerts.test(params, actor), signal)),
  );

  implement(api, listAlertChanges, async ({ params, query }) => {
    const game = database.ofGame(params.game_id);
    if ((await findAlert(game, params)) === null) throw alertNotFound();
    const { page, ...rest } = await readPage(game, query, (from, range) =>
      listChanges(from, params, range),
    );
    return { changes: page, ...rest };
  });
}

const toAnswer = ({ next_check_at: _next_check_at, ...reading }: Reading) => reading;
