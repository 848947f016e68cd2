import { listAlertChanges } from '@overworld/contract/alerts/alert-history';
import * as contract from '@overworld/contract/alerts/alerts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { findAlert, listAlerts, listChanges } from './alert-store.ts';
import { listAlertUses } from './alert-uses.ts';
import { askAlertTrial } from './alert-trial.ts';
import { alertNotFound, createAlerts } from './alerts.ts';
import { defineAlertMail } from './notifications.ts';
import { startChecks } from './checks.ts';
import { listAlertEntries } from './calendar.ts';
import { alertKind } from './definition-kind.ts';
import { createMetrics } from './metrics.ts';
import type { MetricSources } from './metrics.ts';
import type { Reading } from './readings.ts';

export function mountAlerts(api: Api, sources: MetricSources): void {
  const readMetric = createMetrics(sources);
  startChecks({ ...api, readMetric });
  defineAlertMail(api);
  api.uses.add(listAlertUses);
  const alerts = createAlerts(readMetric);
  api.calendar.add('alert', listAlertEntries);
  api.definitions.add(alertKind(askAlertTrial(alerts)));

  implement(api, contract.listAlerts, async ({ params, query, database }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const { page, ...rest } = await readPage(database, query, (from, range) =>
      listAlerts(from, tenant, range),
    );
    return { alerts: page, ...rest };
  });

  implement(api, contract.createAlert, ({ params, body, actor, database }) =>
    alerts.create(database, params.game_id, body, actor),
  );

  implement(api, contract.putAlert, ({ params, body, actor, database }) =>
    alerts.put(database, params, body, actor),
  );

  implement(api, contract.deleteAlert, ({ params, actor, database }) =>
    alerts.remove(database, params, actor),
  );

  implement(api, contract.testAlert, async ({ params, actor, database, change, owner, signal }) =>
    toAnswer(await alerts.test(database, params, actor, { change, owner, signal })),
  );

  implement(api, listAlertChanges, async ({ params, query, database }) => {
    if ((await findAlert(database, params)) === null) throw alertNotFound();
    const { page, ...rest } = await readPage(database, query, (from, range) =>
      listChanges(from, params, range),
    );
    return { changes: page, ...rest };
  });
}

const toAnswer = ({ next_check_at: _next_check_at, ...reading }: Reading) => reading;
