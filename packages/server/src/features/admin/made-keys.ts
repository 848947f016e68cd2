import type { listKeysMadeBy as listKeysMadeByOperation } from '@overworld/contract/administration/api-keys';
import type { SuccessOf } from '@overworld/contract/operation';
import { IS_VALID_KEY } from '../../platform/auth/api-keys.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

type MadeKey = SuccessOf<typeof listKeysMadeByOperation>['api_keys'][number];

/** Up to `count` valid keys that the account has made in all games, the newest first. */
export async function listKeysMadeBy(
  database: Queryable,
  account_id: string,
  { after, count }: PageRange,
): Promise<(MadeKey & PagePosition)[]> {
  return database.query<MadeKey & PagePosition>(sql`
    SELECT api_keys.id, game_id, games.name AS game_name, api_keys.name, environment,
           api_keys.kind, prefix, last_used_at, api_keys.created_at::text AS created
    FROM api_keys
    JOIN games ON games.id = game_id
    WHERE created_by = ${account_id} AND ${IS_VALID_KEY}
      AND ${isAfter(sql`api_keys.created_at, api_keys.id`, 'newest_first', after)}
    ORDER BY api_keys.created_at DESC, api_keys.id DESC
    LIMIT ${count}`);
}
