import {
  deleteSavedReport,
  listSavedReports,
  putSavedReport,
} from '@overworld/contract/analytics/saved-reports';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readList } from '../../platform/http/page.ts';
import { removeReport, saveReport } from './saved-reports.ts';
import * as store from './store.ts';

export function mountSavedReports(api: Api): void {
  const { database } = api;

  implement(api, listSavedReports, async ({ params, query }) => {
    const key = { kind: 'text', name: 'text' } as const;
    const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
      store.listSavedReports(from, params.game_id, { kind: query.kind, after, limit: count }),
    );
    return { saved_reports: page, ...rest };
  });

  implement(api, putSavedReport, ({ params, body, actor }) =>
    saveReport(database, params, body.query, actor),
  );

  implement(api, deleteSavedReport, ({ params, actor }) => removeReport(database, params, actor));
}
