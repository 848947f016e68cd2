import { createApiKey, listApiKeys, revokeApiKey } from '@overworld/contract/api-keys';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { cutPage, readPosition } from '../../platform/http/page.ts';
import { createApiKeys } from './api-keys.ts';
import * as store from './store.ts';

export function mountApiKeys(api: Api, services: { database: Database; keys: KeyDirectory }): void {
  const { database, keys } = services;
  const apiKeys = createApiKeys(database, keys);

  implement(api, listApiKeys, async ({ params, query }) => {
    const after = readPosition(query.cursor);
    const rows = await store.listApiKeys(database, params.game_id, after, query.limit + 1);
    const { page, next_cursor } = cutPage(rows, query.limit);
    return { api_keys: page, next_cursor };
  });

  implement(api, createApiKey, ({ params, body, role, actor }) =>
    apiKeys.create(params.game_id, body, { role, actor }),
  );

  implement(api, revokeApiKey, async ({ params, role, actor }) => {
    await apiKeys.revoke(params.game_id, params.key_id, { role, actor });
    return new Reply(204);
  });
}
