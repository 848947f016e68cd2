import { randomUUID } from 'node:crypto';
import type { ActivationMode } from '@overworld/contract/accounts';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { readEmail } from '../../platform/auth/email.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import { postActivationMail } from './account-mails.ts';
import type { Passwords } from './passwords.ts';
import { claimFirstAccount, hasAccounts, insertAccount } from './store.ts';

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
  registration_open: boolean;
  account_activation: ActivationMode;
}> {
  const has_accounts = await hasAccounts(database);
  return {
    has_accounts,
    registration_open: settings.registration === 'open' || !has_accounts,
    account_activation: settings.account_activation,
  };
}

/**
 * Makes an account for whoever asks, as far as the settings allow. The first one of the
 * installation is always allowed, active, and its administrator.
 * @throws ApiError 400 for an e-mail that is none, 403 when registration is closed, 409 when the
 * e-mail has an account.
 */
export async function registerAccount(
  services: { database: Database; passwords: Passwords; settings: RegistrationSettings },
  given: { email: string; password: string },
  ip: string,
): Promise<NewAccount> {
  const { database, passwords, settings } = services;
  const email = readEmail(given.email);
  if (settings.registration === 'closed' && (await hasAccounts(database))) {
    throw registrationClosed();
  }
  const password_hash = await passwords.use({ ip, email }, ({ hash }) => hash(given.password));
  const id = randomUUID();
  await database.transaction(async (tx) => {
    const isFirst = await claimFirstAccount(tx, id);
    if (settings.registration === 'closed' && !isFirst) throw registrationClosed();
    const status = isFirst || settings.account_activation === 'none' ? 'active' : 'pending';
    await insertNewAccount(tx, {
      id,
      email,
      password_hash,
      status,
      is_administrator: isFirst,
      actor: { account: { account_id: id, email }, ip },
    });
    if (status === 'pending' && settings.account_activation === 'email') {
      await postActivationMail(tx, email);
    }
  });
  return { id, email };
}

/**
 * Makes an active account, whatever the settings: for the command line and for accepted invitations.
 * The first of the installation becomes its administrator in any case.
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
  const isFirst = await claimFirstAccount(tx, id);
  await insertNewAccount(tx, {
    id,
    email,
    password_hash: account.password_hash,
    status: 'active',
    is_administrator: isFirst || account.is_administrator,
    actor: actorOf({ id, email }),
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
