import { listAuditLog } from '@overworld/contract/games/audit-log';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { decodeCursor } from '../../platform/http/cursor.ts';
import { implement } from '../../platform/http/implement.ts';
import { cutPage } from '../../platform/http/page.ts';
import { listAuditEntries } from './store.ts';

const isEntryId = ([id = '', ...rest]: readonly string[]) =>
  rest.length === 0 && /^\d{1,18}$/.test(id);

export function mountAuditLog(api: Api, database: Database): void {
  implement(api, listAuditLog, async ({ params, query }) => {
    const { limit, cursor, action, account_id } = query;
    const [before = null] = decodeCursor(cursor, isEntryId) ?? [];
    const filter = { action, account_id, before };
    const rows = await listAuditEntries(database, params.game_id, filter, limit + 1);
    const { page, next_cursor } = cutPage(rows, limit, ({ id }) => [String(id)]);
    return { audit_log: page, next_cursor };
  });
}
