import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseLogger } from 'pino';
import type * as nodemailer from 'nodemailer';
import type { Config } from '../config.ts';
import { makeFolders } from '../embedded-postgres/folder/make-folders.ts';
import type { Mail } from './compose.ts';

/** The way in which mails are sent. */
export interface MailTransport {
  /**
   * Sends a mail, and resolves when the mail server has accepted it.
   * @param kind The kind of the mail, such as `reset_password`. If the mail becomes a file, the kind is
   * part of its name.
   */
  send(mail: Mail, kind: string, signal: AbortSignal): Promise<void>;
}

type MailSettings = Pick<Config, 'smtp_url' | 'mail_from' | 'data_dir'>;

/** Sends mails through the configured mail server. Without one, mails become files in the data folder. */
export function createMailTransport(settings: MailSettings, logger: BaseLogger): MailTransport {
  const { smtp_url, mail_from, data_dir } = settings;
  return smtp_url
    ? createSmtpTransport(smtp_url, mail_from)
    : createFileTransport(join(data_dir, 'mails'), mail_from, logger);
}

/** Makes a message for the library. A recipient that is a text could be read as several addresses. */
const toMessage = (mail: Mail, mail_from: string): nodemailer.SendMailOptions => ({
  from: mail_from,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

type Library = typeof nodemailer;

/** Opens the transport at the first mail, so the library (6 MB) is loaded only when it is needed. */
function openOnce<Transport>(open: (library: Library) => Transport): () => Promise<Transport> {
  let opened: Promise<Transport> | undefined;
  return () => (opened ??= import('nodemailer').then(open));
}

function createSmtpTransport(smtp_url: string, mail_from: string): MailTransport {
  const transport = openOnce(({ createTransport }) =>
    createTransport({
      url: smtp_url,
      connectionTimeout: 10_000,
      dnsTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    }),
  );
  return {
    async send(mail, _kind, signal) {
      await (await transport()).sendMail({ ...toMessage(mail, mail_from), signal });
    },
  };
}

/**
 * Makes a transport that writes files. Only the user who runs the server
 * may read them, because the links in mails give access to accounts.
 */
function createFileTransport(folder: string, mail_from: string, logger: BaseLogger): MailTransport {
  const transport = openOnce(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  );
  return {
    async send(mail, kind) {
      const { message } = await (await transport()).sendMail(toMessage(mail, mail_from));
      const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
      const path = join(folder, `${time}-${kind}-${randomBytes(4).toString('hex')}.eml`);
      makeFolders(folder, 0o700);
      await writeFile(path, message as Buffer, { mode: 0o600, flag: 'wx' });
      logger.info({ path }, 'mail written to a file, as SMTP_URL is not set');
    },
  };
}
