import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { Client } from '../../../platform/http/client.ts';
import { composeMail } from '../../../platform/mail/compose.ts';
import { postMail } from '../../../platform/mail/outbox.ts';
import type { MailOutbox } from '../../../platform/mail/outbox.ts';
import { networkOf } from '../../../platform/network/network-address.ts';
import { makeAccountToken } from './account-tokens.ts';
import type { TokenPurpose } from './account-tokens.ts';
import { findDevice, hashDeviceToken, readDeviceToken } from '../sessions/devices.ts';
import { findAccount, findCredentials } from '../store.ts';

/** Whether the address has an account is looked up when the mail is sent: asking takes the same time. */
export const postResetMail = (tx: Queryable, email: string, client: Client) =>
  postMail(tx, 'reset_password', { email, ...describeAsker(client) }, client);

/** As above. */
export const postActivationMail = (tx: Queryable, email: string, client: Client) =>
  postMail(tx, 'activate_account', { email, ...describeAsker(client) }, client);

/** To the account's own address. */
export const postVerificationMail = (tx: Queryable, account_id: string, client: Client) =>
  postMail(tx, 'verify_email', { account_id, ...describeAsker(client) }, client);

/** Who asks for a link, to whose share it counts. */
interface Asker {
  network: string;
  device_hash: string | null;
}

const describeAsker = ({ ip, cookies }: Client): Asker => ({
  network: networkOf(ip),
  device_hash: hashDeviceToken(readDeviceToken(cookies)),
});

/** Tells somebody that an administrator has activated the account. */
export const postActivatedMail = (tx: Queryable, account_id: string, ip: string | null) =>
  postMail(tx, 'account_activated', { account_id }, { ip });

/** Says how the mails of accounts are written. */
export function defineAccountMails(
  outbox: MailOutbox,
  database: Database,
  public_url: string,
): void {
  const makeToken = async (
    account_id: string,
    purpose: TokenPurpose,
    mail_id: string,
    { network, device_hash }: Asker,
  ) => {
    const device_id = await findDevice(database, account_id, device_hash);
    return makeAccountToken(database, { account_id, purpose, mail_id, network, device_id });
  };

  outbox.define<Asker & { email: string }>('reset_password', async (params, mail_id) => {
    const { email, ...asker } = params;
    const account = await findCredentials(database, email);
    if (account === null) return null;
    const token = await makeToken(account.id, 'reset_password', mail_id, asker);
    if (token === null) return null;
    return composeMail({
      to: account.email,
      subject: 'Reset your Overworld password',
      paragraphs: [`Somebody asked for a new password for the account ${account.email}.`],
      action: {
        label: 'Choose a new password',
        url: `${public_url}/reset-password?token=${token}`,
      },
      note: 'The link works once, for one hour. If it was not you who asked, there is nothing to do: the password stays as it is.',
    });
  });

  outbox.define<Asker & { email: string }>('activate_account', async (params, mail_id) => {
    const { email, ...asker } = params;
    const account = await findCredentials(database, email);
    if (account?.status !== 'pending') return null;
    const token = await makeToken(account.id, 'activate_account', mail_id, asker);
    if (token === null) return null;
    return composeMail({
      to: account.email,
      subject: 'Activate your Overworld account',
      paragraphs: [
        `Welcome to Overworld. Is ${account.email} your address? Then one step is left.`,
      ],
      action: { label: 'Activate the account', url: `${public_url}/activate?token=${token}` },
      note: 'The link works once, for 7 days. If you did not register, there is nothing to do: without this step the account cannot be used.',
    });
  });

  outbox.define<Asker & { account_id: string }>('verify_email', async (params, mail_id) => {
    const { account_id, ...asker } = params;
    const account = await findAccount(database, account_id);
    if (account === null) return null;
    const token = await makeToken(account_id, 'verify_email', mail_id, asker);
    if (token === null) return null;
    return composeMail({
      to: account.email,
      subject: 'Verify your e-mail address',
      paragraphs: [`Is ${account.email} the address of your Overworld account?`],
      action: { label: 'Verify the address', url: `${public_url}/verify-email?token=${token}` },
      note: 'The link works once, for 7 days. If you have no such account, there is nothing to do.',
    });
  });

  outbox.define<{ account_id: string }>('account_activated', async ({ account_id }) => {
    const account = await findAccount(database, account_id);
    if (account?.status !== 'active') return null;
    return composeMail({
      to: account.email,
      subject: 'Your Overworld account is active',
      paragraphs: [`An administrator has activated the account ${account.email}.`],
      action: { label: 'Log in', url: `${public_url}/login` },
      note: 'You get this mail because somebody registered with this address.',
    });
  });
}
