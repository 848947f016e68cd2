import * as contract from '@overworld/contract/games/api-keys';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import type { ApiKeys } from './api-keys.ts';
import { listApiKeys } from './store.ts';

export function mountApiKeys(api: Api, database: Database, apiKeys: ApiKeys): void {
  implement(api, contract.listApiKeys, async ({ params, query }) => {
    const { page, next_cursor } = await readPage(query, (range) =>
      listApiKeys(database, params.game_id, query.state, range),
    );
    return { api_keys: page, next_cursor };
  });

  implement(api, contract.createApiKey, ({ params, body, caller, actor }) =>
    apiKeys.create(params.game_id, body, { caller, actor }),
  );

  implement(api, contract.rotateApiKey, ({ params, body, caller, actor }) =>
    apiKeys.rotate(params.game_id, params.key_id, body.old_key_valid_hours, { caller, actor }),
  );

  implement(api, contract.revokeApiKey, async ({ params, role, actor }) => {
    await apiKeys.revoke(params.game_id, params.key_id, { role, actor });
    return new Reply(204);
  });
}
