import { MAX_MAIL_REQUESTS_PER_MINUTE } from '@overworld/contract/accounts/limits';
import { LINKS_ARE_MAILED } from '@overworld/contract/answers';
import * as contract from '@overworld/contract/accounts/accounts';
import * as linksContract from '@overworld/contract/accounts/login-links';
import * as loginsContract from '@overworld/contract/accounts/logins';
import * as passwordsContract from '@overworld/contract/accounts/passwords';
import { readEmail } from '../../platform/auth/email.ts';
import type { Api } from '../../platform/http/api.ts';
import type { Client } from '../../platform/http/client.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { conflict } from '../../platform/errors.ts';
import { createAccounts } from './accounts.ts';
import type { AccountServices } from './accounts.ts';
import { deleteOldRecords } from './housekeeping.ts';
import { defineAccountMails, postLinkMail } from './links/account-mails.ts';
import { createAttemptLimit } from '../../platform/limits/attempt-limit.ts';
import { makeDeviceCookie } from './sessions/devices.ts';
import { sendVerification } from './links/email-verification.ts';
import { activateByLink, createFailedLinkLimit, verifyByLink } from './links/links.ts';
import { logIn } from './login/login.ts';
import { takeLoginLink } from './login/login-links.ts';
import { refusePasswords } from './login/passwords-refused.ts';
import { answerLogin, openPasswordLogin } from './login/open-login.ts';
import { changePassword, resetPassword } from './passwords/password-changes.ts';
import * as administration from './administration.ts';
import { isOpenToStrangers } from './registration/open-registration.ts';
import { getRegistrationOptions, registerAccount } from './registration/registration.ts';
import { mountSessions } from './sessions/session-routes.ts';
import { getOwnAccount } from './store.ts';

/**
 * The limit for one network address. A registration hashes a password, which takes 25 ms. So 300
 * registrations take 7.5 of the 60 seconds. Networks take turns at hashing, so a request of another network
 * waits for at most one registration.
 */
const MAX_REGISTRATIONS_PER_MINUTE = 300;

/**
 * @param password_wait_ms The time that a request may wait until its password is checked; by default, 5 s.
 * @returns the functions on accounts that other features use.
 */
export function mountAccounts(
  api: Api,
  factors: Pick<AccountServices, 'askSecondStep' | 'removeSecondFactors'>,
  password_wait_ms?: number,
) {
  const { database, background, secrets, tokens, public_url, config: settings } = api;
  const { services, forInvitations, forSecondFactors, forStaffLogin } = createAccounts(
    { database, tokens, public_url, staff_login: settings.staff_login, ...factors },
    api.workerPool,
    password_wait_ms,
  );
  const sends_mail = settings.smtp_url !== null;
  background.onOneServer(600_000, 'forgetting old logins and links', () =>
    deleteOldRecords(database),
  );
  const failedLinks = createFailedLinkLimit(database);
  const registrations = createAttemptLimit(database, 'register', MAX_REGISTRATIONS_PER_MINUTE);
  const mailRequests = createAttemptLimit(database, 'send_mail', MAX_MAIL_REQUESTS_PER_MINUTE);
  defineAccountMails(api);

  const open = async (
    account: { id: string; email: string; token_generation: number },
    client: Client,
  ) => {
    const opened = await database.transaction((tx) => openPasswordLogin(tx, account, client));
    return answerLogin(services, opened, account.email);
  };

  implement(api, contract.registerAccount, async ({ body, client }) => {
    if (body.setup_token === undefined) refusePasswords(settings.staff_login);
    await registrations.take(client.ip);
    const account = await registerAccount({ ...services, secrets, settings }, body, client);
    const { login, headers } = await open({ ...account, token_generation: 1 }, client);
    return new Reply(201, login, headers);
  });

  implement(api, loginsContract.logIn, async ({ body, client }) => {
    refusePasswords(settings.staff_login);
    const account = await logIn(services, body, client);
    const { login, headers } = await open(account, client);
    return new Reply(200, login, headers);
  });

  implement(api, linksContract.logInByLink, async ({ body, client }) => {
    const account = await takeLoginLink({ database, failedLinks }, body.token, client.ip);
    const second_step = await services.askSecondStep(account.id, client.origin);
    if (second_step !== null) throw second_step;
    const { login, headers } = await open(account, client);
    return new Reply(200, login, headers);
  });

  implement(api, passwordsContract.requestPasswordReset, async ({ body, client }) => {
    const email = readEmail(body.email);
    await mailRequests.take(client.ip);
    await postLinkMail(database, 'reset_password', { email }, client);
    return { message: 'If this address has an account, an e-mail with a link is on its way' };
  });

  implement(api, passwordsContract.makePasswordResetLink, ({ params, actor }) => {
    if (sends_mail) throw conflict(LINKS_ARE_MAILED);
    return administration.makePasswordResetLink({ database, actor, ...params }, public_url);
  });

  implement(api, passwordsContract.resetPassword, async ({ body, client }) => {
    const device_token = await resetPassword({ ...services, failedLinks }, body, client);
    const answer = { message: 'The password was changed: log in with the new one' };
    return new Reply(200, answer, { 'Set-Cookie': makeDeviceCookie(device_token, public_url) });
  });

  implement(api, passwordsContract.changePassword, async ({ caller, body, client }) => {
    const keeps_end = settings.staff_login?.only === true;
    const changed = await changePassword({ ...services, keeps_end }, caller, body, client);
    return { token: await tokens.sign(changed.claims, changed.ends_at) };
  });

  implement(api, contract.activateAccount, async ({ body, ip }) => {
    await activateByLink({ database, failedLinks }, body, ip);
    return { message: 'The account is active: log in' };
  });

  implement(api, contract.resendActivation, async ({ body, client }) => {
    const email = readEmail(body.email);
    await mailRequests.take(client.ip);
    if (settings.account_activation === 'email') {
      await postLinkMail(database, 'activate_account', { email }, client);
    }
    return {
      message: 'If this address has an account to activate, an e-mail with a link is on its way',
    };
  });

  implement(api, contract.sendEmailVerification, async ({ caller, client }) => ({
    message: await sendVerification({ database, mailRequests }, caller, client),
  }));

  implement(api, contract.verifyEmail, async ({ body, ip }) => {
    const email = await verifyByLink({ database, failedLinks }, body, ip);
    return { message: `The address ${email} is verified` };
  });

  implement(api, contract.getOwnAccount, async ({ caller }) => {
    const { account_id, email, is_administrator, must_set_up_second_factor } = caller;
    const own = await getOwnAccount(database, account_id);
    return { id: account_id, email, is_administrator, must_set_up_second_factor, ...own };
  });

  implement(api, contract.getAuthOptions, async () => getRegistrationOptions(database, settings));

  mountSessions(api);
  const { passwords } = services;
  return {
    forInvitations,
    forSecondFactors,
    forStaffLogin,
    administration: {
      ...administration,
      makeAccount: (
        request: Omit<administration.AccountChange, 'account_id'>,
        body: { email: string },
        client: Client,
      ) =>
        administration.makeAccount({ ...request, passwords }, body, client, {
          sends_mail,
          public_url,
        }),
    },
    is_open_to_strangers: isOpenToStrangers(settings),
  };
}
