import { MAX_INVITATIONS } from '@overworld/contract/games/invitations';
import type { Role } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { getRole, requireRole } from '../../platform/auth/accounts.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import { readEmail } from '../../platform/auth/email.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict, notFound, tooManyRequests } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import type { InvitedAccounts } from './invitation-acceptance.ts';
import { postInvitationMail } from './invitation-mail.ts';
import {
  countDailyInvitations,
  countOtherInvitations,
  deleteInvitation,
  findInvitationDelay,
  findInvitedRole,
  upsertInvitation,
} from './invitation-store.ts';
import type { Invitation } from './invitation-store.ts';
import { countMembers, hasMember } from './member-store.ts';

/** Makes the error 403 for callers who have not verified their e-mail address. */
export const emailNotVerified = () =>
  new ApiError(
    403,
    'Verify your e-mail address before you invite others: your account page sends you a link',
    { code: 'EMAIL_NOT_VERIFIED' },
  );

/**
 * The maximum number of invitations that an account may send within
 * an hour. With a higher limit, an account could flood mailboxes.
 */
const MAX_INVITATIONS_PER_HOUR = 100;

/**
 * Invites an address into a game by mail. This replaces an earlier invitation of the address.
 * @throws ApiError 400 for an invalid e-mail address; 403 when the caller's role is too
 * low, the caller's address is not verified, or the game has reached its limit of members
 * or of invitations in a day; 409 when the address belongs to a member or the game has
 * too many invitations; 429 when the caller has sent too many invitations within an hour.
 */
export async function inviteMember(
  services: { database: Database; accounts: Pick<InvitedAccounts, 'isVerified'> },
  game_id: string,
  invited: { email: string; role: Role },
  caller: AccountCaller,
  actor: Actor,
): Promise<Invitation> {
  const email = readEmail(invited.email);
  const { role } = invited;
  const { database, accounts } = services;
  return changeGame(database, { game_id, actor }, async (tx, record) => {
    const callerRole = await getRole(tx, caller, game_id, 'admin');
    if (!(await accounts.isVerified(tx, caller.account_id))) throw emailNotVerified();
    const replacedRole = await findInvitedRole(tx, game_id, email);
    if (role === 'owner' || replacedRole === 'owner') requireRole(callerRole, 'owner');
    if (await hasMember(tx, game_id, email)) {
      throw conflict(`${email} is a member of this game already`);
    }
    if ((await countOtherInvitations(tx, game_id, email)) >= MAX_INVITATIONS) {
      throw conflict(`A game can have at most ${MAX_INVITATIONS} invitations: withdraw one first`);
    }
    await requireRoom(tx, game_id, 'members', await countMembers(tx, game_id));
    await requireRoom(tx, game_id, 'daily_invitations', await countDailyInvitations(tx, game_id));
    await refuseTooManyInvitations(tx, caller.account_id);
    const invited_by = caller.email;
    const invitation = await upsertInvitation(tx, game_id, { email, role, invited_by });
    await postInvitationMail(tx, { game_id, invitation_id: invitation.id }, actor.ip);
    await record('invite_member', email, { role });
    return invitation;
  });
}

/** @throws ApiError 404 when the game has no such invitation. */
export async function withdrawInvitation(
  database: Database,
  game_id: string,
  invitation_id: string,
  actor: Actor,
): Promise<void> {
  await changeGame(database, { game_id, actor }, async (tx, record) => {
    const invitation = await deleteInvitation(tx, game_id, invitation_id);
    if (invitation === null) throw notFound('Invitation not found');
    const { email, role } = invitation;
    await record('withdraw_invitation', email, { role });
  });
}

async function refuseTooManyInvitations(tx: Queryable, account_id: string): Promise<void> {
  const delay = await findInvitationDelay(tx, account_id, MAX_INVITATIONS_PER_HOUR);
  if (delay === null) return;
  const message = `An account can send ${MAX_INVITATIONS_PER_HOUR} invitations an hour, retry in ${delay} seconds`;
  throw tooManyRequests(message, { 'retry-after': String(delay) });
}
