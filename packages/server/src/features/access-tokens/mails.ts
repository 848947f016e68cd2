import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Api } from '../../platform/http/api.ts';
import { composeMail, toPlainName } from '../../platform/mail/compose.ts';
import { postMail } from '../../platform/mail/outbox.ts';

const KIND = 'access_token_made';

interface NewToken {
  account_id: string;
  token_name: string;
}

/** Tells the owner of an account about a new access token. */
export const postTokenMail = (tx: Queryable, made: NewToken) =>
  postMail(tx, KIND, made, { account_id: made.account_id });

export function defineTokenMails({ outbox, database, public_url }: Api): void {
  outbox.define<NewToken>(KIND, async ({ account_id, token_name }) => {
    const account = await database.queryOne<{ email: string }>(sql`
      SELECT email FROM accounts WHERE id = ${account_id}`);
    if (account === null) return null;
    return composeMail({
      to: account.email,
      subject: 'A new access token of your Overworld account',
      paragraphs: [
        `This is about the account ${account.email}.`,
        `An access token was made, with the name “${toPlainName(token_name)}”. A machine that has it can make calls for you.`,
      ],
      action: { label: 'Look at your access tokens', url: `${public_url}/account` },
      note: 'If this was not you, somebody knows your password: change it at once, and revoke the token on the page of your account.',
    });
  });
}
