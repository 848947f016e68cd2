import {
  deleteSavedReport,
  listSavedReports,
  putSavedReport,
} from '@overworld/contract/analytics/saved-reports';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readList } from '../../platform/http/page.ts';
import { savedReportKind, segmentKind } from './definition-kinds.ts';
import { listReportUses } from './report-uses.ts';
import { removeReport, saveReport } from './saved-reports.ts';
import * as store from './store.ts';

/** @returns the look-up of saved segments, for other features. */
export function mountSavedReports(api: Api) {
  const { database, uses } = api;
  uses.add(listReportUses);
  api.definitions.add(segmentKind());
  api.definitions.add(savedReportKind());

  implement(api, listSavedReports, async ({ params, query, read }) => {
    const key = { kind: 'text', name: 'text' } as const;
    const { page, ...rest } = await read((group) =>
      readList(group, query, key, (from, after, count) =>
        store.listSavedReports(from, params.game_id, { kind: query.kind, after, limit: count }),
      ),
    );
    return { saved_reports: page, ...rest };
  });

  implement(api, putSavedReport, ({ params, body, actor, database: group }) =>
    saveReport({ database: group, listUses: uses.list }, params, body, actor),
  );

  implement(api, deleteSavedReport, ({ params, actor, database: group }) =>
    removeReport({ database: group, listUses: uses.list }, params, actor),
  );
  return {
    findSegment: (game_id: string, name: string) =>
      store.findSavedQuery(database, { game_id, kind: 'segment', name }),
  };
}
