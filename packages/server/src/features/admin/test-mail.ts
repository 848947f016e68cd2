import type { sendTestMail as operation } from '@overworld/contract/administration/accounts';
import type { SuccessOf } from '@overworld/contract/operation';
import { composeMail } from '../../platform/mail/compose.ts';
import type { MailOutbox } from '../../platform/mail/outbox.ts';

const TIMEOUT_MS = 20_000;

/** Sends a test mail to an administrator. @returns the outcome, in the words of the mail server. */
export async function sendTestMail(
  outbox: Pick<MailOutbox, 'sendNow'>,
  email: string,
  public_url: string,
): Promise<SuccessOf<typeof operation>> {
  const mail = composeMail({
    to: email,
    subject: 'A test mail of Overworld',
    paragraphs: ['Your installation of Overworld sends mail: this one has arrived.'],
    action: { label: 'Open the administration', url: `${public_url}/admin` },
    note: 'You have asked for this mail on the page of administration.',
  });
  try {
    await outbox.sendNow(mail, 'test', TIMEOUT_MS);
    return { email, problem: null };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return {
      email,
      problem: words
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .slice(0, 500)
        .toWellFormed(),
    };
  }
}
