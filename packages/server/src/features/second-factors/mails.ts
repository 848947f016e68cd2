import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Api } from '../../platform/http/api.ts';
import { composeMail } from '../../platform/mail/compose.ts';
import { postMail } from '../../platform/mail/outbox.ts';

/** For each change of second factors: the subject of the mail about it, and a sentence that explains it. */
const NEWS = {
  totp_added: [
    'An authenticator app was added to your Overworld account',
    'Logging in now asks for a code of an authenticator app, or for another second factor of yours.',
  ],
  totp_removed: [
    'The authenticator app was removed from your Overworld account',
    'Codes of the authenticator app are no longer asked for.',
  ],
  passkey_added: [
    'A passkey was added to your Overworld account',
    'Logging in now asks for a passkey, or for another second factor of yours.',
  ],
  passkey_removed: [
    'A passkey was removed from your Overworld account',
    'It can no longer be used to log in.',
  ],
  recovery_codes_made: [
    'New recovery codes for your Overworld account',
    'Somebody has made new recovery codes. The old codes do not work any more.',
  ],
  recovery_code_used: [
    'A recovery code of your Overworld account was used',
    'Somebody has logged in with the password and a recovery code. This code does not work any more.',
  ],
  factors_reset: [
    'Two-factor login of your Overworld account was turned off',
    'An administrator has removed the second factors of your account: the password alone is enough to log in.',
  ],
  factors_of_unverified: [
    'Two-factor login of your Overworld account was turned off',
    'The password was reset by a link to this address, which nobody had verified before. So the second factors were removed: somebody else may have set them up.',
  ],
  codes_locked: [
    'Wrong codes at the login of your Overworld account',
    'Somebody who knows your password has typed five wrong codes. Codes of your authenticator app are refused for some time; a passkey or a recovery code still works.',
  ],
} as const;
export type FactorNews = keyof typeof NEWS;

/** Tells the owner of an account about a change to its second factors. */
export const postFactorMail = (tx: Queryable, account_id: string, news: FactorNews) =>
  postMail(tx, 'second_factor_news', { account_id, news }, { account_id });

export function defineFactorMails({ outbox, database, public_url }: Api): void {
  type Params = { account_id: string; news: FactorNews };
  outbox.define<Params>('second_factor_news', async ({ account_id, news }) => {
    const account = await database.queryOne<{ email: string }>(sql`
      SELECT email FROM accounts WHERE id = ${account_id}`);
    if (account === null) return null;
    const [subject, happened] = NEWS[news];
    return composeMail({
      to: account.email,
      subject,
      paragraphs: [`This is about the account ${account.email}.`, happened],
      action: { label: 'Look at your account', url: `${public_url}/account` },
      note: 'If this was not you, somebody knows your password: change it at once, and look at the second factors and sessions on the page of your account.',
    });
  });
}
