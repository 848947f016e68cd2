import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { refuseInactive } from '../../platform/auth/accounts.ts';
import { readEmail } from '../../platform/auth/email.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/client.ts';
import type { StaffLoginSettings } from '../../platform/staff-login-settings.ts';
import { mayJoin } from './claims.ts';
import type { Identity } from './claims.ts';
import { applyGroupRoles, rolesOf } from './group-roles.ts';
import {
  findAccountByEmail,
  findIdentityAccount,
  insertIdentity,
  lockAccount,
  updateIdentityUse,
} from './identity-store.ts';
import type { IdentityAccount } from './identity-store.ts';
import { sealProof } from './sealed-proof.ts';

/** The purpose of the proof with which the owner of an account joins it with an identity. */
export const LINK = 'link';
const LINK_LIFETIME_S = 600;

/** The parts of the accounts feature that logins with an identity use. */
export interface StaffAccounts {
  makeUnknownHash(owner: { ip: string; email: string }): Promise<string>;
  createAccount(
    tx: Queryable,
    email: string,
    unknown_hash: string,
    ip: string,
  ): Promise<IdentityAccount>;
  confirmAddress(tx: Queryable, account_id: string, actor: Actor): Promise<void>;
  takeUnproved(
    tx: Queryable,
    account: { account_id: string; email: string },
    unknown_hash: string,
    actor: Actor,
  ): Promise<{ account: IdentityAccount; revoked_access_tokens: number } | null>;
  checkPassword(
    credentials: { email: string; password: string },
    client: Client,
  ): Promise<IdentityAccount>;
}

/** The services of a login with an identity. */
export interface LoginServices {
  database: Database;
  settings: StaffLoginSettings;
  accounts: StaffAccounts;
  /** Tells the operator of something that a login could not do. */
  warn: (sentence: string) => void;
}

/** An identity that waits for the owner of the account with its address. */
export interface LinkProof {
  identity: Identity;
  account_id: string;
  email: string;
}

/** The error when the account of an address changed while a login waited for its owner. */
export const changedMeanwhile = () =>
  conflict('The account of this address was changed meanwhile: log in again');

/**
 * Finds or makes the account of an identity, and gives it the roles of its groups.
 * @throws ApiError 403 when the provider vouches for no address that may join, or the account is locked, 409 when
 * the owner of an account must confirm that it may be joined.
 */
export async function findOrJoinAccount(
  services: LoginServices,
  identity: Identity,
  client: Client,
): Promise<IdentityAccount> {
  const { database } = services;
  const account =
    (await findIdentityAccount(database, identity)) ?? (await join(services, identity, client));
  return enter(services, account, identity, client);
}

async function join(
  services: LoginServices,
  identity: Identity,
  { ip }: Client,
): Promise<IdentityAccount> {
  const { database, settings, accounts } = services;
  const email = readJoiningEmail(identity, settings);
  const existing = await findAccountByEmail(database, email);
  if (existing === null) {
    const unknown_hash = await accounts.makeUnknownHash({ ip, email });
    return database.transaction(async (tx) => {
      const account = await accounts.createAccount(tx, email, unknown_hash, ip);
      return bind(tx, services, identity, account, ip);
    });
  }
  if (existing.has_password) {
    const proof: LinkProof = { identity, account_id: existing.id, email: existing.email };
    throw conflict('This address has an account: confirm that it is yours', {
      code: 'IDENTITY_NOT_LINKED',
      challenge: await sealProof(database, LINK, proof, LINK_LIFETIME_S),
      email: existing.email,
      email_verified: existing.email_verified,
    });
  }
  return database.transaction(async (tx) => {
    const account = await lockAccount(tx, existing.id);
    // The owner has just chosen a password, which must confirm now.
    if (account?.has_password !== false) throw changedMeanwhile();
    return bind(tx, services, identity, account, ip);
  });
}

/** @throws ApiError 403 when the provider vouches for no address, or its domain may not join. */
function readJoiningEmail(identity: Identity, settings: StaffLoginSettings): string {
  if (identity.email === null) {
    throw new ApiError(403, 'The identity provider does not say that it has verified your address');
  }
  let email: string;
  try {
    email = readEmail(identity.email);
  } catch (error) {
    throw new ApiError(
      403,
      'The identity provider gives no valid e-mail address',
      {},
      {
        cause: error,
      },
    );
  }
  if (mayJoin(email, settings)) return email;
  throw new ApiError(403, `Addresses of this domain may not join: ${email}`);
}

/**
 * Binds an identity to an account in the caller's transaction, and records it.
 * @param details More details for the audit log.
 * @returns the account, which is active unless an administrator has locked it.
 * @throws ApiError 403 when the account is locked, 409 when either has been joined already.
 */
export async function bind(
  tx: Queryable,
  { accounts }: Pick<LoginServices, 'accounts'>,
  identity: Identity,
  account: IdentityAccount,
  ip: string,
  details: Record<string, unknown> = {},
): Promise<IdentityAccount> {
  const { id: account_id, email } = account;
  if (account.status === 'locked') refuseInactive(account.status);
  if (!(await insertIdentity(tx, identity, account_id))) {
    throw conflict(
      'This account has another identity already: an administrator can make the server forget it',
    );
  }
  const actor = { account: { account_id, email }, ip };
  await accounts.confirmAddress(tx, account_id, actor);
  const { issuer } = identity;
  const all = { issuer, ...details };
  await insertAuditEntry(tx, { actor, game_id: null }, 'link_identity', email, all);
  return { ...account, status: 'active' };
}

/**
 * Lets an identity into its account, with the roles of its groups.
 * @throws ApiError 403 when the account is locked or pending.
 */
export async function enter(
  { database, settings, warn }: LoginServices,
  account: IdentityAccount,
  identity: Identity,
  { ip }: Client,
): Promise<IdentityAccount> {
  refuseInactive(account.status);
  await updateIdentityUse(database, identity);
  const roles = rolesOf(identity.groups, settings.group_roles);
  const { id: account_id, email } = account;
  await applyGroupRoles(database, { account_id, email }, roles, ip, warn);
  return account;
}
