import { PASSWORD_MIN_LENGTH } from '@overworld/contract/accounts/limits';
import { foldText } from '@overworld/contract/fold-text';
import type { joinGame } from '@overworld/contract/games/invitations';
import type { SuccessOf } from '@overworld/contract/operation';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { LoginAnswer, OpenedLogin, ProvedAccount } from '../../platform/auth/opened-login.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, badRequest, notFound } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/client.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { findInvitationByToken, takeInvitation } from './invitation-store.ts';
import type { GameInvitation } from './invitation-store.ts';
import { countMembers, findMember, insertMember } from './member-store.ts';

/** The functions of the accounts feature that invitations need. */
export interface InvitedAccounts {
  hasAccount(email: string): Promise<boolean>;
  /** Tells whether the owner of the account has proved to receive mail at the address of the account. */
  isVerified(tx: Queryable, account_id: string): Promise<boolean>;
  /** Records that the owner of the account has used a link in a mail to its address. */
  markVerified(tx: Queryable, account_id: string): Promise<unknown>;
  /** Logs in. @throws ApiError 401, 403 or 429, as in every login with a password. */
  logIn(credentials: { email: string; password: string }, client: Client): Promise<InvitedAccount>;
  /** @throws ApiError 503 when too many requests of this network or e-mail address wait for hashing. */
  hashPassword(owner: { ip: string; email: string }, password: string): Promise<string>;
  /** Makes an active account, also while registration is closed. */
  createAccount(
    tx: Queryable,
    account: { email: string; password_hash: string },
    ip: string,
  ): Promise<InvitedAccount>;
  openLogin(tx: Queryable, account: ProvedAccount, client: Client): Promise<OpenedLogin>;
  answerLogin(opened: OpenedLogin, email: string): Promise<LoginAnswer>;
}

type InvitedAccount = ProvedAccount & { email: string };

/** The game that an account has joined, and its role there. */
type Joined = SuccessOf<typeof joinGame>;

/** Makes the 404 error for a token that is unknown or used, or whose invitation has expired. */
export const invitationNotFound = () =>
  notFound('Invitation not found: it was used or withdrawn, or has expired');

/**
 * Accepts an invitation with the password of the invited account, or with a password for a new account.
 * @throws ApiError 400 when the token is not valid or a new password is too short, and the errors of `logIn`.
 */
export async function acceptWithPassword(
  database: Database,
  accounts: InvitedAccounts,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<{ email: string; opened: OpenedLogin; joined: Joined }> {
  const { ip } = client;
  const invitation = await findInvitationByToken(database, token);
  if (invitation === null) throw badRequest('token is invalid or has expired');
  const { email } = invitation;
  const existing = (await accounts.hasAccount(email))
    ? await accounts.logIn({ email, password }, client)
    : null;
  const password_hash = existing ? null : await hashNewPassword(accounts, { ip, email }, password);

  const accept = async (tx: Queryable) => {
    const taken = await takeInvitation(tx, invitation.game_id, token);
    if (taken === null) throw badRequest('token is invalid or has expired');
    const account =
      existing ?? (await accounts.createAccount(tx, { email, password_hash: password_hash! }, ip));
    const actor = { account: { account_id: account.id, email: account.email }, ip };
    const joined = await join(tx, invitation, account.id, actor);
    // A link that was shown to the inviter does not prove that the caller receives mail to the address.
    if (!taken.link_shown) await accounts.markVerified(tx, account.id);
    const opened = await accounts.openLogin(tx, account, client);
    return { email: account.email, opened, joined };
  };
  try {
    return await database.transaction(accept);
  } catch (error) {
    const wasMadeMeanwhile = existing === null && error instanceof ApiError && error.status === 409;
    if (!wasMadeMeanwhile) throw error;
    // Another request, such as one that accepts a second invitation, has made the account: log in to it.
    return acceptWithPassword(database, accounts, { token, password }, client);
  }
}

/**
 * Accepts an invitation with the caller's account.
 * @throws ApiError 403 when another address was invited, 404 when the token is not valid.
 */
export async function acceptWithAccount(
  database: Database,
  accounts: Pick<InvitedAccounts, 'markVerified'>,
  token: string,
  caller: AccountCaller,
  actor: Actor,
): Promise<Joined> {
  const invitation = await findInvitationByToken(database, token);
  if (invitation === null) throw invitationNotFound();
  const { email } = invitation;
  if (foldText(email) !== foldText(caller.email)) {
    throw new ApiError(403, `This invitation is for ${email}: log in with that account`);
  }
  return database.transaction(async (tx) => {
    const taken = await takeInvitation(tx, invitation.game_id, token);
    if (taken === null) throw invitationNotFound();
    if (!taken.link_shown) await accounts.markVerified(tx, caller.account_id);
    return join(tx, invitation, caller.account_id, actor);
  });
}

async function hashNewPassword(
  accounts: InvitedAccounts,
  owner: { ip: string; email: string },
  password: string,
): Promise<string> {
  if ([...password].length < PASSWORD_MIN_LENGTH) {
    throw badRequest(`password must have at least ${PASSWORD_MIN_LENGTH} characters`);
  }
  return accounts.hashPassword(owner, password);
}

async function join(
  tx: Queryable,
  { game_id, game_name, role: invited_role }: GameInvitation,
  account_id: string,
  actor: Actor,
): Promise<Joined> {
  if ((await findMember(tx, game_id, account_id)) === null) {
    await requireRoom(tx, game_id, 'members', await countMembers(tx, game_id));
  }
  await insertMember(tx, game_id, account_id, invited_role);
  const member = await findMember(tx, game_id, account_id);
  const { email, role } = member!;
  await insertAuditEntry(tx, { actor, game_id }, 'accept_invitation', email, { role });
  return { game_id, game_name, role };
}
