import * as contract from '@overworld/contract/games/members';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { listMembers } from './member-store.ts';
import { changeRole, removeMember } from './members.ts';
import type { RevokeApiKeys } from './members.ts';

export function mountMembers(api: Api, revokeApiKeys: RevokeApiKeys): void {
  const { database } = api;

  implement(api, contract.listMembers, async ({ params, query }) => {
    const { page, ...rest } = await readPage(database, query, (from, range) =>
      listMembers(from, params.game_id, range),
    );
    return { members: page.map(({ id, ...member }) => ({ account_id: id, ...member })), ...rest };
  });

  implement(api, contract.updateMember, ({ caller, params, body, actor }) =>
    changeRole(database, { ...params, caller, actor }, body.role),
  );

  implement(api, contract.removeMember, async ({ caller, params, query, actor }) => {
    const key_ids = query.revoke_api_keys ?? [];
    await removeMember(database, { ...params, caller, actor }, { key_ids, revokeApiKeys });
  });
}
