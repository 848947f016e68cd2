import * as contract from '@overworld/contract/dashboards/dashboards';
import type { Api } from '../../platform/http/api.ts';
import type { ListIds } from '../../platform/definitions/definition-kind.ts';
import { implement } from '../../platform/http/implement.ts';
import { listCardUses } from './card-uses.ts';
import { createDashboards, getDashboard } from './dashboards.ts';
import { dashboardKind } from './definition-kind.ts';
import { mountDashboardLinks } from './links/link-routes.ts';
import { listDashboards } from './store.ts';

export function mountDashboards(api: Api): void {
  const { database } = api;
  const dashboards = createDashboards(database, api.pinned);
  api.uses.add(listCardUses);
  const listExperiments: ListIds = (tx, game_id) =>
    api.definitions.get('experiment').listIds!(tx, game_id);
  api.definitions.add(dashboardKind(api.pinned, listExperiments));
  mountDashboardLinks(api);

  implement(api, contract.listDashboards, async ({ params }) => ({
    dashboards: await listDashboards(database, params.game_id),
    next_cursor: null,
  }));

  implement(api, contract.createDashboard, ({ params, body, actor }) =>
    dashboards.create(params.game_id, body, actor),
  );

  implement(api, contract.getDashboard, ({ params }) => getDashboard(database, params));

  implement(api, contract.updateDashboard, ({ params, body, actor }) =>
    dashboards.update(params, body, actor),
  );

  implement(api, contract.deleteDashboard, ({ params, actor }) => dashboards.delete(params, actor));

  implement(api, contract.pinCard, ({ params, body, actor }) =>
    dashboards.pin(params, body, actor),
  );
}
