import { randomUUID } from 'node:crypto';
import type { ActivationMode, getAuthOptions } from '@overworld/contract/accounts/accounts';
import type { AccountStatus } from '@overworld/contract/accounts/account';
import type { SuccessOf } from '@overworld/contract/operation';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import { readEmail } from '../../../platform/auth/email.ts';
import type { JwtSecretKeeper } from '../../../platform/auth/jwt-secrets.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { ApiError, conflict } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import { postLinkMail } from '../links/account-mails.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { alreadySetUp, checkSetupToken } from './setup.ts';
import { hasAccounts, hasAdministrator, insertAccount, lockAdministration } from '../store.ts';

export interface RegistrationSettings {
  registration: 'open' | 'closed';
  account_activation: ActivationMode;
  /** The URL of the mail server; null if no mail is sent. */
  smtp_url: string | null;
  /** The identity provider of the installation; null if there is none. */
  staff_login: { name: string; only: boolean } | null;
}

interface NewAccount {
  id: string;
  email: string;
}

const registrationClosed = () =>
  new ApiError(
    403,
    'Registration is closed: ask an administrator of this installation for an account',
  );

/** Tells in which ways a caller can get an account now. */
export async function getRegistrationOptions(
  database: Database,
  settings: RegistrationSettings,
): Promise<SuccessOf<typeof getAuthOptions>> {
  return {
    has_accounts: await hasAccounts(database),
    has_administrator: await hasAdministrator(database),
    registration_open: settings.registration === 'open',
    account_activation: settings.account_activation,
    sends_mail: settings.smtp_url !== null,
    identity_provider: settings.staff_login && {
      name: settings.staff_login.name,
      only: settings.staff_login.only,
    },
  };
}

/**
 * Makes an account for the caller, if the settings allow it. While there is no administrator, a caller
 * with the setup token always gets an account. This account is active and becomes the administrator.
 * @throws ApiError 400 for an invalid e-mail and a password that is easy to guess, 403 when
 * registration is closed or the setup token is wrong or used up, 409 when the e-mail has an account.
 */
export async function registerAccount(
  services: {
    database: Database;
    secrets: JwtSecretKeeper;
    passwords: Passwords;
    settings: RegistrationSettings;
  },
  given: { email: string; password: string; setup_token?: string },
  client: Client,
): Promise<NewAccount> {
  const { database, secrets, passwords, settings } = services;
  const { ip } = client;
  const email = readEmail(given.email);
  const is_administrator = given.setup_token !== undefined;
  if (is_administrator) await checkSetupToken(database, secrets, given.setup_token!);
  else if (settings.registration === 'closed') throw registrationClosed();
  await requireGoodPassword('password', given.password, email);
  const password_hash = await passwords.use({ ip, email }, ({ hash }) => hash(given.password));
  return database.transaction(async (tx) => {
    if (is_administrator && (await lockAdministration(tx))) throw alreadySetUp();
    const isActive = is_administrator || settings.account_activation === 'none';
    const status = isActive ? 'active' : 'pending';
    const account = await createAccount(
      tx,
      { email, password_hash, status, is_administrator },
      { ip },
    );
    if (status === 'pending' && settings.account_activation === 'email') {
      await postLinkMail(tx, 'activate_account', { email }, client);
    }
    return account;
  });
}

/**
 * Makes an account, whatever the settings are. The command
 * line and accepted invitations use this function too.
 * @param actor If it has only an `ip`, the new account itself is the actor.
 * @throws ApiError 400 for an invalid e-mail, 409 when the e-mail has an account.
 */
export async function createAccount(
  tx: Queryable,
  given: {
    email: string;
    password_hash: string;
    is_administrator: boolean;
    /** False if nobody knows the password. Default: true. */
    has_password?: boolean;
    /** Default: `active`. */
    status?: AccountStatus;
  },
  actor: Actor | { ip: string },
): Promise<NewAccount> {
  const id = randomUUID();
  const email = readEmail(given.email);
  const { status = 'active', has_password = true, is_administrator } = given;
  if (!(await insertAccount(tx, { ...given, id, email, status, has_password }))) {
    throw conflict('An account with this e-mail address already exists');
  }
  await insertAuditEntry(
    tx,
    { actor: { account: { account_id: id, email }, ...actor }, game_id: null },
    'create_account',
    email,
    { status, is_administrator },
  );
  return { id, email };
}
