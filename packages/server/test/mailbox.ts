import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';

const DEADLINE_MS = 10_000;

/** Mails to an address that a server without SMTP_URL has written, oldest first. */
export async function listMails(data_dir: string, to: string): Promise<Email[]> {
  const folder = join(data_dir, 'mails');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names.sort().map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
  return mails.filter((mail) => mail.to?.some(({ address }) => address === to));
}

/** Waits until an address has so many mails; the last of them. */
export async function waitForMail(data_dir: string, to: string, count = 1): Promise<Email> {
  const mails = await poll(async () => {
    const found = await listMails(data_dir, to);
    return found.length >= count ? found : null;
  });
  return mails.at(-1)!;
}

/** The link that a mail asks to follow. */
export function findLink(mail: Email): URL {
  const link = /^https?:\S+$/m.exec(mail.text ?? '')?.[0];
  if (link === undefined) throw new Error(`There is no link in: ${mail.text}`);
  return new URL(link);
}

/** The token of the link that a mail asks to follow. */
export const findToken = (mail: Email): string => findLink(mail).searchParams.get('token')!;

/** Asks until there is an answer; fails after ten seconds. */
export async function poll<T>(ask: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error('What was waited for did not come in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
