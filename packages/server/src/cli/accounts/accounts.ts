import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@overworld/contract/accounts/limits';
import { activateAccount, unlockAccount } from '../../features/accounts/administration.ts';
import type { AccountChange } from '../../features/accounts/administration.ts';
import { makeLoginLink } from '../../features/accounts/login/login-links.ts';
import { requireGoodPassword } from '../../features/accounts/passwords/password-rules.ts';
import { createPasswords } from '../../features/accounts/passwords/passwords.ts';
import { endAccess } from '../../features/accounts/sessions/end-access.ts';
import { createAccount } from '../../features/accounts/registration/registration.ts';
import { findCredentials, lockAdministration } from '../../features/accounts/store.ts';
import { resetSecondFactors } from '../../features/second-factors/reset.ts';
import { forgetIdentity } from '../../features/staff-login/forget-identity.ts';
import { normalizeEmail } from '../../platform/auth/email.ts';
import { COMMAND_LINE, CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { withMigratedInstallation, withNewInstallation } from '../installation.ts';

export const createAccountCommand: Command = {
  name: 'create-account',
  usage: '<e-mail> [--administrator] [--password-stdin]',
  summary: 'Make an active account; without --password-stdin a password is made and shown',
  options: { administrator: { type: 'boolean' }, 'password-stdin': { type: 'boolean' } },
  words: 1,
  run: (context) =>
    withNewInstallation(context, async (database) => {
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
        const { email } = await createAccount(tx, account, COMMAND_LINE);
        return `Made the account ${email}${is_administrator ? ', an administrator' : ''}.`;
      });
      say(said);
      if (!given) say(`Its password is ${password} — change it after the first login.`);
    }),
};

export const activateAccountCommand = accountCommand(
  'activate-account',
  'Activate an account that is pending',
  async (request, { email }) => {
    await activateAccount(request);
    return `${email} is active.`;
  },
);

export const unlockAccountCommand = accountCommand(
  'unlock-account',
  'Unlock an account, whether failed logins or an administrator locked it',
  async (request, { email }) => {
    await unlockAccount(request);
    return `${email} is unlocked.`;
  },
);

export const resetSecondFactorCommand = accountCommand(
  'reset-second-factor',
  'Remove the second factors of an account whose owner has lost them',
  async ({ database, actor, account_id }, { email }) =>
    (await resetSecondFactors(database, actor, account_id))
      ? `${email} logs in with the password alone now.`
      : `${email} has no second factor.`,
);

export const loginLinkCommand = accountCommand(
  'login-link',
  'Print a link that logs in to an account once, as the way back in without the identity provider',
  ({ database, actor, account_id }, { email }, { config }) =>
    makeLoginLink(database, config.public_url, actor, { account_id, email }),
);

export const forgetIdentityCommand = accountCommand(
  'forget-identity',
  'Let an account log in with another identity, because its owner has got a new one',
  async ({ database, actor, account_id }, { email }) =>
    (await forgetIdentity(database, actor, { account_id, email }, endAccess))
      ? `${email} can be joined with another identity at the next login. Its sessions and access tokens have ended. Its second factors stay: if they are those of a former owner, remove them with reset-second-factor.`
      : `${email} has no identity.`,
);

/**
 * Defines a command that changes one account. The command's argument is the account's e-mail address.
 * @param change Makes the change, and returns the sentence for the user.
 */
function accountCommand(
  name: string,
  summary: string,
  change: (
    request: AccountChange,
    account: { email: string },
    context: CommandContext,
  ) => Promise<string>,
): Command {
  return {
    name,
    usage: '<e-mail>',
    summary,
    words: 1,
    run: (context) =>
      withMigratedInstallation(context, async (database) => {
        const given = context.words[0]!;
        const account = await findCredentials(database, normalizeEmail(given));
        if (account === null) throw new CommandError(`There is no account ${given}.`);
        const request = { database, actor: COMMAND_LINE, account_id: account.id };
        context.say(await change(request, account, context));
      }),
  };
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
