import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { waitUntil } from './wait-until.ts';

/** Lists the mails that a server without SMTP_URL has written to files for an address, oldest first. */
export async function listMails(data_dir: string, to: string): Promise<Email[]> {
  const folder = join(data_dir, 'mails');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names.sort().map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
  return mails.filter((mail) => mail.to?.some(({ address }) => address === to));
}

/** Waits until an address has `count` mails, and returns the last one. */
export async function waitForMail(data_dir: string, to: string, count = 1): Promise<Email> {
  let mails: Email[] = [];
  await waitUntil(`${to} has ${count} mails`, async () => {
    mails = await listMails(data_dir, to);
    return mails.length >= count;
  });
  return mails.at(-1)!;
}

/**
 * Waits until an address has a mail with this subject, and returns the newest one. Use this if several callers cause
 * mails: those of different networks and accounts are sent at the same time, in any order.
 */
export async function waitForMailAbout(
  data_dir: string,
  to: string,
  subject: RegExp,
): Promise<Email> {
  return poll(async () => {
    const mails = await listMails(data_dir, to);
    return mails.findLast((mail) => subject.test(mail.subject ?? '')) ?? null;
  });
}

/** Finds the link in a mail. */
export function findLink(mail: Email): URL {
  const link = /^https?:\S+$/m.exec(mail.text ?? '')?.[0];
  if (link === undefined) throw new Error(`There is no link in: ${mail.text}`);
  return new URL(link);
}

/** Reads the token of a link, which is in its fragment. */
export const readToken = ({ hash }: URL): string =>
  new URLSearchParams(hash.slice(1)).get('token')!;

/** Finds the token of the link in a mail. */
export const findToken = (mail: Email): string => readToken(findLink(mail));

/** Calls `ask` until it returns an answer. */
export async function poll<T>(ask: () => Promise<T | null>): Promise<T> {
  let answer: T | null = null;
  await waitUntil('there is an answer', async () => {
    answer = await ask();
    return answer !== null;
  });
  return answer!;
}
