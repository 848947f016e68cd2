import { listAuditLog } from '@overworld/contract/games/audit-log';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { decodeCursor } from '../../platform/http/cursor.ts';
import { implement } from '../../platform/http/implement.ts';
import { countRows, cutPage, readTotal } from '../../platform/http/page.ts';
import { checkDay } from '../../platform/reports/date-range.ts';
import { listAuditEntries } from './store.ts';

const isEntryId = ([id = '', ...rest]: readonly string[]) =>
  rest.length === 0 && /^\d{1,18}$/.test(id);

export function mountAuditLog(api: Api, database: Database): void {
  implement(api, listAuditLog, async ({ params, query }) => {
    const { limit, cursor, action, account_id, from, to } = query;
    checkDay('from', from);
    checkDay('to', to);
    const [before = null] = decodeCursor(cursor, isEntryId) ?? [];
    const filter = { action, account_id, from, to, before };
    const rows = await listAuditEntries(database, params.game_id, filter, limit + 1);
    const cut = cutPage(rows, limit, ({ id }) => [String(id)]);
    const total = await readTotal(query, cut, () =>
      countRows(database, (counter, count) =>
        listAuditEntries(counter, params.game_id, { ...filter, before: null }, count),
      ),
    );
    return { audit_log: cut.page, next_cursor: cut.next_cursor, ...total };
  });
}
