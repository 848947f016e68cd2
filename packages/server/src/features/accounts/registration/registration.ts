import { randomUUID } from 'node:crypto';
import type { ActivationMode } from '@overworld/contract/accounts/accounts';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import { readEmail } from '../../../platform/auth/email.ts';
import type { JwtSecretKeeper } from '../../../platform/auth/jwt-secrets.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { ApiError, conflict } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import { postActivationMail } from '../links/account-mails.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { alreadySetUp, checkSetupToken } from './setup.ts';
import { hasAccounts, hasAdministrator, insertAccount, lockAdministration } from '../store.ts';

export interface RegistrationSettings {
  registration: 'open' | 'closed';
  account_activation: ActivationMode;
}

export interface NewAccount {
  id: string;
  email: string;
}

const registrationClosed = () =>
  new ApiError(
    403,
    'Registration is closed: ask an administrator of this installation for an account',
  );

/** How one gets an account here at this moment. */
export async function getRegistrationOptions(
  database: Database,
  settings: RegistrationSettings,
): Promise<{
  has_accounts: boolean;
  has_administrator: boolean;
  registration_open: boolean;
  account_activation: ActivationMode;
}> {
  return {
    has_accounts: await hasAccounts(database),
    has_administrator: await hasAdministrator(database),
    registration_open: settings.registration === 'open',
    account_activation: settings.account_activation,
  };
}

/**
 * Makes an account for whoever asks, as far as the settings allow. With the setup token it is
 * allowed, active, and the administrator's, while there is none.
 * @throws ApiError 400 for an e-mail that is none and a password that is guessed first, 403 when
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
  const id = randomUUID();
  await database.transaction(async (tx) => {
    if (is_administrator && (await lockAdministration(tx))) throw alreadySetUp();
    const isActive = is_administrator || settings.account_activation === 'none';
    const status = isActive ? 'active' : 'pending';
    await insertNewAccount(tx, {
      id,
      email,
      password_hash,
      status,
      is_administrator,
      actor: { account: { account_id: id, email }, ip },
    });
    if (status === 'pending' && settings.account_activation === 'email') {
      await postActivationMail(tx, email, client);
    }
  });
  return { id, email };
}

/**
 * Makes an active account, whatever the settings: for the command line and for accepted invitations.
 * @param actorOf Who makes it; for one who makes an own account, the account itself.
 * @throws ApiError 400 for an e-mail that is none, 409 when it has an account.
 */
export async function createAccount(
  tx: Queryable,
  account: { email: string; password_hash: string; is_administrator: boolean },
  actorOf: (made: NewAccount) => Actor,
): Promise<NewAccount> {
  const id = randomUUID();
  const email = readEmail(account.email);
  const { password_hash, is_administrator } = account;
  const actor = actorOf({ id, email });
  await insertNewAccount(tx, {
    id,
    email,
    password_hash,
    status: 'active',
    is_administrator,
    actor,
  });
  return { id, email };
}

async function insertNewAccount(
  tx: Queryable,
  { actor, ...account }: Parameters<typeof insertAccount>[1] & { actor: Actor },
): Promise<void> {
  if (!(await insertAccount(tx, account))) {
    throw conflict('An account with this e-mail address already exists');
  }
  const { status, is_administrator } = account;
  await insertAuditEntry(tx, actor, {
    game_id: null,
    action: 'create_account',
    target: account.email,
    details: { status, is_administrator },
  });
}
