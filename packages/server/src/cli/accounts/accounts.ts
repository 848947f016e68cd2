import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@overworld/contract/accounts/accounts';
import { activateAccount, unlockAccount } from '../../features/accounts/administration.ts';
import { requireGoodPassword } from '../../features/accounts/passwords/password-rules.ts';
import { createPasswords } from '../../features/accounts/passwords/passwords.ts';
import { createAccount } from '../../features/accounts/registration/registration.ts';
import { findCredentials, lockAdministration } from '../../features/accounts/store.ts';
import type { Actor } from '../../platform/audit.ts';
import { normalizeEmail } from '../../platform/auth/email.ts';
import type { Database } from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { ApiError } from '../../platform/errors.ts';
import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { openInstallation, withDatabase } from '../installation.ts';

/** In the audit log a change from the command line has no account. */
export const COMMAND_LINE: Actor = { account: null, ip: null };

export const createAccountCommand: Command = {
  name: 'create-account',
  usage: '<e-mail> [--administrator] [--password-stdin]',
  summary: 'Make an active account; without --password-stdin a password is made and shown',
  options: { administrator: { type: 'boolean' }, 'password-stdin': { type: 'boolean' } },
  words: 1,
  run: (context) =>
    withInstallation(context, async (database) => {
      const { words, options, say } = context;
      const given = options['password-stdin'] === true;
      const password = given ? await readPassword() : randomBytes(12).toString('base64url');
      await requireGoodPassword('password', password, words[0]!);
      const password_hash = await createPasswords().use(
        { ip: null, email: words[0]! },
        ({ hash }) => hash(password),
      );
      const said = await database.transaction(async (tx) => {
        const isFirst = !(await lockAdministration(tx));
        const is_administrator = isFirst || options.administrator === true;
        const account = { email: words[0]!, password_hash, is_administrator };
        const { email } = await createAccount(tx, account, () => COMMAND_LINE);
        return `Made the account ${email}${is_administrator ? ', an administrator' : ''}.`;
      });
      say(said);
      if (!given) say(`Its password is ${password} — change it after the first login.`);
    }),
};

export const activateAccountCommand: Command = {
  name: 'activate-account',
  usage: '<e-mail>',
  summary: 'Activate an account that is pending',
  words: 1,
  run: (context) =>
    withInstallation(context, async (database) => {
      const { id, email } = await getAccountByEmail(database, context.words[0]!);
      await activateAccount(database, COMMAND_LINE, id);
      context.say(`${email} is active.`);
    }),
};

export const unlockAccountCommand: Command = {
  name: 'unlock-account',
  usage: '<e-mail>',
  summary: 'Unlock an account, whether failed logins or an administrator locked it',
  words: 1,
  run: (context) =>
    withInstallation(context, async (database) => {
      const { id, email } = await getAccountByEmail(database, context.words[0]!);
      await unlockAccount(database, COMMAND_LINE, id);
      context.say(`${email} is unlocked.`);
    }),
};

/** Opens the installation for a command, migrated, and words what the features refuse. */
export async function withInstallation(
  { config, say }: CommandContext,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const installation = await openInstallation(config, say, { shared: true });
  try {
    await withDatabase(installation.connection, async (database) => {
      await migrate(database);
      await work(database);
    });
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(`${error.message}.`, { cause: error });
    throw error;
  } finally {
    await installation.close();
  }
}

/** @throws CommandError when there is no such account. */
export async function getAccountByEmail(database: Database, email: string) {
  const account = await findCredentials(database, normalizeEmail(email));
  if (account === null) throw new CommandError(`There is no account ${email}.`);
  return account;
}

async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  const { length } = [...password];
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) {
    throw new CommandError(
      `The password must have ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters.`,
    );
  }
  return password;
}
