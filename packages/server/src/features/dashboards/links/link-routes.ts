import * as contract from '@overworld/contract/dashboards/links';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Api } from '../../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../../platform/http/implement.ts';
import { getDashboard } from '../dashboards.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { deleteOldLinks, listLinks } from './link-store.ts';
import { endLink, makeLink } from './links.ts';
import { createSharedReports, toSharedCard, withoutKeys } from './shared-reports.ts';

type SharedReport = SuccessOf<typeof contract.getSharedReport>;

/** Tells caches and search engines not to store the answers. */
const HEADERS = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' };

export function mountDashboardLinks(api: Api): void {
  const { database, background } = api;
  const shared = createSharedReports({ ...api, answers: createKeptAnswers() });
  background.onOneServer(600_000, 'forgetting old links of dashboards', () =>
    deleteOldLinks(database),
  );

  implement(api, contract.listDashboardLinks, async ({ params }) => {
    await getDashboard(database, params);
    return { links: await listLinks(database, params), next_cursor: null };
  });

  implement(api, contract.createDashboardLink, ({ params, body, actor }) =>
    makeLink(api, params, body, actor),
  );

  implement(api, contract.revokeDashboardLink, ({ params, actor }) =>
    endLink(database, params, actor),
  );

  implement(api, contract.getSharedDashboard, async ({ headers }) => {
    const linked = await shared.getDashboard(secretOf(headers));
    const { game_name, name, environment, time_zone, expires_at, cards, today } = linked;
    const body = {
      game_name,
      name,
      environment,
      time_zone,
      expires_at,
      cards: cards.map((card) => withoutKeys(toSharedCard(card, today))),
    };
    return new Reply(200, body, HEADERS);
  });

  implement(api, contract.getSharedReport, async ({ headers, params }) => {
    const text = await shared.getReport(secretOf(headers), params.card_id.toLowerCase());
    return new Reply<SharedReport>(200, new JsonText(text), HEADERS);
  });
}

function secretOf(headers: Record<string, unknown>): string | undefined {
  const secret = headers['x-dashboard-link'];
  return typeof secret === 'string' ? secret : undefined;
}
