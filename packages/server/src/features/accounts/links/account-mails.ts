import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { Api } from '../../../platform/http/api.ts';
import type { Client } from '../../../platform/http/client.ts';
import { composeMail } from '../../../platform/mail/compose.ts';
import type { MailMessage } from '../../../platform/mail/compose.ts';
import { postMail } from '../../../platform/mail/outbox.ts';
import { networkOf } from '../../../platform/network/network-address.ts';
import { findDevice, hashDeviceToken, readDeviceToken } from '../sessions/devices.ts';
import { findAccount, findCredentials } from '../store.ts';
import type { Credentials } from '../store.ts';
import { makeAccountToken } from './account-tokens.ts';
import type { TokenPurpose } from './account-tokens.ts';

/**
 * Puts a mail with a link into the outbox. The account of an e-mail address is looked up only when the
 * mail is sent, so a request takes the same time whether or not the address has an account.
 */
export const postLinkMail = (
  tx: Queryable,
  kind: LinkMail,
  to: Recipient,
  client: Client,
): Promise<void> => {
  const network = networkOf(client.ip);
  const device_hash = hashDeviceToken(readDeviceToken(client.cookies));
  return postMail(tx, kind, { ...to, network, device_hash }, client);
};

/** Tells the owner of an account that an administrator has activated the account. */
export const postActivatedMail = (tx: Queryable, account_id: string, ip: string | null) =>
  postMail(tx, 'account_activated', { account_id }, { ip });

type Recipient = { email: string } | { account_id: string };

/**
 * The network and the browser that requested a link. If the account has logged in with this browser before,
 * the mail counts towards the browser's daily limit of mails, and otherwise towards the network's limit.
 */
interface Requester {
  network: string;
  device_hash: string | null;
}

type MailedAccount = Pick<Credentials, 'id' | 'email' | 'status'>;

/** The text of a mail with a link, before the address of the account and the token are added. */
interface LinkMessage extends Pick<MailMessage, 'subject' | 'paragraphs' | 'note'> {
  label: string;
  path: string;
}

/** A function that writes the mail for an account. It returns null if the account gets no such mail. */
type WriteLinkMessage = (account: MailedAccount) => LinkMessage | null;

/** The kinds of mails with a link. The link of a welcome sets the first password of a new account. */
type LinkMail = Exclude<TokenPurpose, 'log_in'> | 'welcome';

const LINK_MESSAGES: Record<LinkMail, WriteLinkMessage> = {
  welcome: ({ email }) => ({
    subject: 'Your Overworld account',
    paragraphs: [`An administrator has made an Overworld account for ${email}.`],
    label: 'Choose a password',
    path: '/reset-password',
    note: 'The link works once, for one hour. After that, “Forgot it?” on the login page sends another one.',
  }),
  reset_password: ({ email }) => ({
    subject: 'Reset your Overworld password',
    paragraphs: [`Somebody asked for a new password for the account ${email}.`],
    label: 'Choose a new password',
    path: '/reset-password',
    note: 'The link works once, for one hour. If it was not you who asked, there is nothing to do: the password stays as it is.',
  }),
  activate_account: ({ email, status }) =>
    status === 'pending'
      ? {
          subject: 'Activate your Overworld account',
          paragraphs: [`Welcome to Overworld. Is ${email} your address? Then one step is left.`],
          label: 'Activate the account',
          path: '/activate',
          note: 'The link works once, for 7 days. If you did not register, there is nothing to do: without this step the account cannot be used.',
        }
      : null,
  verify_email: ({ email }) => ({
    subject: 'Verify your e-mail address',
    paragraphs: [`Is ${email} the address of your Overworld account?`],
    label: 'Verify the address',
    path: '/verify-email',
    note: 'The link works once, for 7 days. If you have no such account, there is nothing to do.',
  }),
};

/** Tells the outbox how to write the mails about accounts. */
export function defineAccountMails({ outbox, database, public_url }: Api): void {
  const defineLinkMail = (kind: LinkMail, purpose: TokenPurpose) =>
    outbox.define<Recipient & Requester>(kind, async (params, mail_id) => {
      const { network, device_hash, ...to } = params;
      const account = await findRecipient(database, to);
      const message = account && LINK_MESSAGES[kind](account);
      if (message === null) return null;
      const { id: account_id, email } = account!;
      const device_id = await findDevice(database, account_id, device_hash);
      const link = { account_id, purpose, mail_id, network, device_id };
      const token = await makeAccountToken(database, link);
      if (token === null) return null;
      const { path, label, ...words } = message;
      // Browsers send the fragment to no server, so no log of a proxy has the token.
      const action = { label, url: `${public_url}${path}#token=${token}` };
      return composeMail({ to: email, action, ...words });
    });
  defineLinkMail('reset_password', 'reset_password');
  defineLinkMail('welcome', 'reset_password');
  defineLinkMail('activate_account', 'activate_account');
  defineLinkMail('verify_email', 'verify_email');

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

const findRecipient = (database: Database, to: Recipient): Promise<MailedAccount | null> =>
  'email' in to ? findCredentials(database, to.email) : findAccount(database, to.account_id);
