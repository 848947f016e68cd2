import { LINKS_ARE_MAILED } from '@overworld/contract/answers';
import type { makeInvitationLink as operation } from '@overworld/contract/games/invitations';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { getRole, requireRole } from '../../platform/auth/accounts.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { Database } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import type { InvitedAccounts } from './invitation-acceptance.ts';
import { findInvitation, makeShownToken } from './invitation-store.ts';
import { emailNotVerified } from './invitations.ts';

/**
 * Makes the link of an invitation, for servers that send no mail. Earlier links stop working.
 * @throws ApiError 403 when the caller's role is too low or the caller's address is not verified,
 * 404 when the game has no such invitation, 409 when it has expired or the server sends mail.
 */
export async function makeInvitationLink(
  services: {
    database: Database;
    accounts: Pick<InvitedAccounts, 'isVerified'>;
    public_url: string;
    sends_mail: boolean;
  },
  { game_id, invitation_id }: { game_id: string; invitation_id: string },
  caller: AccountCaller,
  actor: Actor,
): Promise<SuccessOf<typeof operation>> {
  const { database, accounts, public_url, sends_mail } = services;
  return changeGame(database, { game_id, actor }, async (tx, record) => {
    const role = await getRole(tx, caller, game_id, 'admin');
    const invitation = await findInvitation(tx, game_id, invitation_id);
    if (invitation === null) throw notFound('Invitation not found');
    if (sends_mail) throw conflict(LINKS_ARE_MAILED);
    if (!(await accounts.isVerified(tx, caller.account_id))) throw emailNotVerified();
    if (invitation.role === 'owner') requireRole(role, 'owner');
    const token = await makeShownToken(tx, game_id, invitation_id);
    if (token === null) throw conflict('This invitation has expired: invite the address again');
    await record('make_invitation_link', invitation.email, { role: invitation.role });
    const link = `${public_url}/invitations#token=${token}`;
    return { link, expires_at: invitation.expires_at };
  });
}
