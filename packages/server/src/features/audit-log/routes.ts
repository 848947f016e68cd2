import { listAuditLog } from '@overworld/contract/games/audit-log';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readList } from '../../platform/http/page.ts';
import { checkDay } from '../../platform/reports/date-range.ts';
import { listAuditEntries } from './store.ts';

export function mountAuditLog(api: Api): void {
  implement(api, listAuditLog, async ({ params, query, read }) => {
    const { action, account_id, from, to } = query;
    checkDay('from', from);
    checkDay('to', to);
    const filter = { action, account_id, from, to };
    const key = { id: 'bigint' } as const;
    const { page, ...rest } = await read((database) =>
      readList(database, query, key, (tx, before, count) =>
        listAuditEntries(tx, params.game_id, { ...filter, before: before?.id }, count),
      ),
    );
    return { audit_log: page, ...rest };
  });
}
