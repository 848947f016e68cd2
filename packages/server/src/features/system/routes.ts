import { getHealth, getReadiness } from '@overworld/contract/system';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';

export function mountSystem(api: Api, database: Database): void {
  implement(api, getHealth, async () => ({ status: 'ok' }));

  implement(api, getReadiness, async () => {
    await database.execute(sql`SELECT 1`);
    return { status: 'ready' };
  });
}
