import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A received mail with the addresses of its envelope. */
interface ReceivedMail extends Email {
  envelope: { from: string; to: string[] };
}

interface Refusal {
  message: string;
  responseCode: number;
}

export interface SmtpInbox {
  url: string;
  port: number;
  /** All received mails, oldest first. */
  mails: ReceivedMail[];
  close(): Promise<void>;
}

/**
 * Starts a real mail server on a local port.
 * @param refuse Returns the error with which the server refuses a mail, or null to accept the mail. The
 * server answers the sender only after the result is known.
 */
export async function startSmtpInbox(
  options: {
    port?: number;
    refuse?: (to: string[]) => Refusal | null | Promise<Refusal | null>;
  } = {},
): Promise<SmtpInbox> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const take = callbackify(async () => {
        const mail = await PostalMime.parse(await buffer(stream));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const refusal = (await options.refuse?.(to)) ?? null;
        if (refusal) throw Object.assign(new Error(refusal.message), refusal);
        const { mailFrom } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        mails.push({ ...mail, envelope: { from, to } });
      });
      take(done);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
