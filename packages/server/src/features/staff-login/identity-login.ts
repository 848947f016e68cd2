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
import {
  findAccountByEmail,
  findIdentityAccount,
  insertIdentity,
  lockAccount,
} from './identity-store.ts';
import type { IdentityAccount } from './identity-store.ts';
import { keepIdentity } from './kept-identity.ts';
import type { KeptIdentity, ProvedIdentity } from './kept-identity.ts';
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
  identity: KeptIdentity;
  account_id: string;
  email: string;
}

/** The error when the account of an address changed while a login waited for its owner. */
export const changedMeanwhile = () =>
  conflict('The account of this address was changed meanwhile: log in again');

/** The error when an account has another identity of the issuer, or the identity another account. */
export const otherIdentity = () =>
  conflict(
    'This account has another identity already: an administrator can make the server forget it',
  );

/**
 * Finds or makes the account of an identity. An account that exists, and whose owner has never chosen a password, is
 * joined when the login is complete.
 * @throws ApiError 403 when the provider vouches for no address that may join, 409 when the owner of an account must
 * confirm that it may be joined.
 */
export async function findOrMakeAccount(
  services: LoginServices,
  identity: Identity,
  { ip }: Client,
): Promise<IdentityAccount> {
  const known = await findIdentityAccount(services.database, identity);
  return known ?? makeAccount(services, identity, ip);
}

async function makeAccount(
  services: LoginServices,
  identity: Identity,
  ip: string,
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
    const proof: LinkProof = {
      identity: keepIdentity(identity, settings),
      account_id: existing.id,
      email: existing.email,
    };
    throw conflict('This address has an account: confirm that it is yours', {
      code: 'IDENTITY_NOT_LINKED',
      challenge: await sealProof(database, LINK, proof, LINK_LIFETIME_S),
      email: existing.email,
      email_verified: existing.email_verified,
    });
  }
  return existing;
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
  identity: ProvedIdentity,
  account: IdentityAccount,
  ip: string,
  details: Record<string, unknown> = {},
): Promise<IdentityAccount> {
  const { id: account_id, email } = account;
  if (account.status === 'locked') refuseInactive(account.status);
  if (!(await insertIdentity(tx, identity, account_id))) throw otherIdentity();
  const actor = { account: { account_id, email }, ip };
  await accounts.confirmAddress(tx, account_id, actor);
  const { issuer } = identity;
  const all = { issuer, ...details };
  await insertAuditEntry(tx, { actor, game_id: null }, 'link_identity', email, all);
  return { ...account, status: 'active' };
}

/**
 * Binds an identity to the account that it logs in to, unless it is bound to it already.
 * @param account The account as it was when the login was checked.
 * @throws ApiError 403 when the account is locked or pending, 409 when either has been joined otherwise, or the
 * account's password has changed since the check, which must confirm the identity then.
 */
export async function bindOnce(
  tx: Queryable,
  services: Pick<LoginServices, 'accounts'>,
  identity: ProvedIdentity,
  account: IdentityAccount,
  ip: string,
): Promise<void> {
  const now = await lockAccount(tx, account.id);
  if (now?.token_generation !== account.token_generation) throw changedMeanwhile();
  const bound = await findIdentityAccount(tx, identity);
  if (bound?.id === account.id) refuseInactive(now.status);
  else await bind(tx, services, identity, now, ip);
}
