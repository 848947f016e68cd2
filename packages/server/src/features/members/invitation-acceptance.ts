import { PASSWORD_MIN_LENGTH } from '@overworld/contract/accounts/accounts';
import type { Role } from '@overworld/contract/operation';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, badRequest, notFound } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/client.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { findInvitationByToken, takeInvitation } from './invitation-store.ts';
import type { GameInvitation } from './invitation-store.ts';
import { countMembers, findMember, insertMember } from './member-store.ts';

/** What accepting an invitation needs of accounts. */
export interface InvitedAccounts<Opened = unknown> {
  hasAccount(email: string): Promise<boolean>;
  /** Whether its owner is known to read the mail of its address. */
  isVerified(tx: Queryable, account_id: string): Promise<boolean>;
  /** The link of a mail to its address was used. */
  markVerified(tx: Queryable, account_id: string): Promise<void>;
  /** @throws ApiError 401, 403 or 429 as logging in does. */
  logIn(credentials: { email: string; password: string }, client: Client): Promise<InvitedAccount>;
  /** @throws ApiError 503 when too many passwords of this address are being hashed. */
  hashPassword(owner: { ip: string; email: string }, password: string): Promise<string>;
  /** Makes an active account, also while registration is closed. */
  createAccount(
    tx: Queryable,
    account: { email: string; password_hash: string },
    ip: string,
  ): Promise<InvitedAccount>;
  openLogin(tx: Queryable, account: InvitedAccount, client: Client): Promise<Opened>;
  /** Body and headers of what a login answers. */
  answerLogin(
    opened: Opened,
    email: string,
  ): Promise<{
    login: { token: string; user: { id: string; email: string }; backendVersion: string };
    headers: Record<string, string>;
  }>;
}

/** An account that has just shown its password. */
export interface InvitedAccount {
  id: string;
  email: string;
  token_generation: number;
}

/** The game that an account has joined, and as what. */
export interface Joined {
  game_id: string;
  game_name: string;
  role: Role;
}

/** 404 for the token of a link that was never made, was used, or whose invitation is over. */
export const invitationNotFound = () =>
  notFound('Invitation not found: it was used or withdrawn, or has expired');

/**
 * Accepts with a password: that of the invited address's account, or of the one that is made for it.
 * @throws ApiError 400 when the token is not valid or a new password is too short, and what logging
 * in throws.
 */
export async function acceptWithPassword<Opened>(
  database: Database,
  accounts: InvitedAccounts<Opened>,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<{ email: string; opened: Opened; joined: Joined }> {
  const { ip } = client;
  const invitation = await findInvitationByToken(database, token);
  if (invitation === null) throw badRequest('token is invalid or has expired');
  const { email } = invitation;
  const existing = (await accounts.hasAccount(email))
    ? await accounts.logIn({ email, password }, client)
    : null;
  const password_hash = existing ? null : await hashNewPassword(accounts, { ip, email }, password);

  const accept = async (tx: Queryable) => {
    if (!(await takeInvitation(tx, invitation.game_id, token))) {
      throw badRequest('token is invalid or has expired');
    }
    const account =
      existing ?? (await accounts.createAccount(tx, { email, password_hash: password_hash! }, ip));
    const actor = { account: { account_id: account.id, email: account.email }, ip };
    const joined = await join(tx, invitation, account.id, actor);
    await accounts.markVerified(tx, account.id);
    const opened = await accounts.openLogin(tx, account, client);
    return { email: account.email, opened, joined };
  };
  try {
    return await database.transaction(accept);
  } catch (error) {
    const isMadeMeanwhile =
      existing === null && error instanceof ApiError && error.status === CONFLICT;
    if (!isMadeMeanwhile) throw error;
    // As by accepting two games' invitations at once: now it is that account's password.
    return acceptWithPassword(database, accounts, { token, password }, client);
  }
}

/** What making an account answers when the address has one. */
const CONFLICT = 409;

/**
 * Accepts with the account that is logged in.
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
  if (email.toLowerCase() !== caller.email.toLowerCase()) {
    throw new ApiError(403, `This invitation is for ${email}: log in with that account`);
  }
  return database.transaction(async (tx) => {
    if (!(await takeInvitation(tx, invitation.game_id, token))) throw invitationNotFound();
    await accounts.markVerified(tx, caller.account_id);
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
  await insertAuditEntry(tx, actor, {
    game_id,
    action: 'accept_invitation',
    target: email,
    details: { role },
  });
  return { game_id, game_name, role };
}
