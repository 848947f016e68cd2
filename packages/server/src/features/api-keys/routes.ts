import * as contract from '@overworld/contract/games/api-keys';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { createApiKey, revokeApiKey, revokeApiKeys, rotateApiKey } from './api-keys.ts';
import { listApiKeys } from './store.ts';

/** @returns the function by which members who leave lose their keys. */
export function mountApiKeys(api: Api) {
  implement(api, contract.listApiKeys, async ({ params, query, read }) => {
    const { page, ...rest } = await read((database) =>
      readPage(database, query, (from, range) =>
        listApiKeys(from, params.game_id, query.state, range),
      ),
    );
    return { api_keys: page, ...rest };
  });

  implement(api, contract.createApiKey, ({ params, body, caller, actor }) =>
    createApiKey(api, params.game_id, body, { caller, actor }),
  );

  implement(api, contract.rotateApiKey, ({ params, body, caller, actor }) =>
    rotateApiKey(api, params, body.old_key_valid_hours, { caller, actor }),
  );

  implement(api, contract.revokeApiKey, ({ params, role, actor }) =>
    revokeApiKey(api, params, { role, actor }),
  );
  return { revokeApiKeys: revokeApiKeys.bind(null, api.keys) };
}
