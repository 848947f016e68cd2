import {
  deleteSavedReport,
  listSavedReports,
  putSavedReport,
} from '@overworld/contract/analytics/saved-reports';
import type { ListUses } from '../../platform/definition-uses.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readList } from '../../platform/http/page.ts';
import { removeReport, saveReport } from './saved-reports.ts';
import * as store from './store.ts';

export function mountSavedReports(api: Api, listUses: ListUses): void {
  const { database, reads } = api;
  const services = { database, listUses };

  implement(api, listSavedReports, async ({ params, query, owner, signal }) => {
    const key = { kind: 'text', name: 'text' } as const;
    const read = () =>
      readList(database, query, key, (from, after, count) =>
        store.listSavedReports(from, params.game_id, { kind: query.kind, after, limit: count }),
      );
    const { page, ...rest } = await reads.run(owner, read, signal);
    return { saved_reports: page, ...rest };
  });

  implement(api, putSavedReport, ({ params, body, actor }) =>
    saveReport(services, params, body, actor),
  );

  implement(api, deleteSavedReport, ({ params, actor }) => removeReport(services, params, actor));
}
