import {
  deleteSavedReport,
  listSavedReports,
  putSavedReport,
  SAVED_REPORT_KINDS,
} from '@overworld/contract/analytics/saved-reports';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { decodeCursor } from '../../platform/http/cursor.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { countRows, cutPage, readTotal } from '../../platform/http/page.ts';
import { removeReport, saveReport } from './saved-reports.ts';
import * as store from './store.ts';

export function mountSavedReports(api: Api, database: Database): void {
  implement(api, listSavedReports, async ({ params, query }) => {
    const { kind, limit, cursor } = query;
    const range = { kind, after: readPosition(cursor), limit: limit + 1 };
    const rows = await store.listSavedReports(database, params.game_id, range);
    const cut = cutPage(rows, limit, (last) => [last.kind, last.name]);
    const total = await readTotal(query, cut, () =>
      countRows(database, (from, count) =>
        store.listSavedReports(from, params.game_id, { kind, after: null, limit: count }),
      ),
    );
    return { saved_reports: cut.page, next_cursor: cut.next_cursor, ...total };
  });

  implement(api, putSavedReport, ({ params, body, actor }) =>
    saveReport(database, params, body.query, actor),
  );

  implement(api, deleteSavedReport, async ({ params, actor }) => {
    await removeReport(database, params, actor);
    return new Reply(204);
  });
}

/** @throws ApiError 400 when the cursor was not made by this list. */
function readPosition(cursor: string | undefined): { kind: string; name: string } | null {
  const key = decodeCursor(
    cursor,
    ([kind, ...rest]) => rest.length === 1 && SAVED_REPORT_KINDS.some((each) => each === kind),
  );
  return key && { kind: key[0]!, name: key[1]! };
}
