import * as contract from '@overworld/contract/games/invitations';
import type { Api } from '../../platform/http/api.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import {
  acceptWithAccount,
  acceptWithPassword,
  invitationNotFound,
} from './invitation-acceptance.ts';
import type { InvitedAccounts } from './invitation-acceptance.ts';
import { makeInvitationLink } from './invitation-links.ts';
import { defineInvitationMail } from './invitation-mail.ts';
import {
  findInvitationByToken,
  listInvitations,
  deleteOldInvitations,
} from './invitation-store.ts';
import { inviteMember, withdrawInvitation } from './invitations.ts';

export function mountInvitations(api: Api, accounts: InvitedAccounts): void {
  const { database, background, public_url } = api;
  background.onOneServer(600_000, 'forgetting old invitations', () =>
    deleteOldInvitations(database),
  );
  defineInvitationMail(api);

  implement(api, contract.listInvitations, async ({ params, query }) => {
    const { page, ...rest } = await readPage(database, query, (from, range) =>
      listInvitations(from, params.game_id, range),
    );
    return { invitations: page, ...rest };
  });

  implement(api, contract.createInvitation, ({ caller, params, body, actor }) =>
    inviteMember({ database, accounts }, params.game_id, body, caller, actor),
  );

  implement(api, contract.makeInvitationLink, ({ caller, params, actor }) =>
    makeInvitationLink(
      { database, public_url, accounts, sends_mail: api.config.smtp_url !== null },
      params,
      caller,
      actor,
    ),
  );

  implement(api, contract.deleteInvitation, ({ params, actor }) =>
    withdrawInvitation(database, params.game_id, params.invitation_id, actor),
  );

  implement(api, contract.getInvitation, async ({ params }) => {
    const invitation = await findInvitationByToken(database, params.token);
    if (invitation === null) throw invitationNotFound();
    const { game_name, email, role, invited_by, expires_at } = invitation;
    const has_account = await accounts.hasAccount(email);
    return { game_name, email, role, invited_by, expires_at, has_account };
  });

  implement(api, contract.acceptInvitation, async ({ body, client }) => {
    const { email, opened, joined } = await acceptWithPassword(database, accounts, body, client);
    const { login, headers } = await accounts.answerLogin(opened, email);
    return new Reply(200, { ...login, ...joined }, headers);
  });

  implement(api, contract.joinGame, ({ caller, params, actor }) =>
    acceptWithAccount(database, accounts, params.token, caller, actor),
  );
}
