import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Api } from '../../platform/http/api.ts';
import { composeMail } from '../../platform/mail/compose.ts';
import { postMail } from '../../platform/mail/outbox.ts';
import { namePlace } from '../../platform/stores/file-store.ts';
import { noteBackups, noteTold, readBackupAge } from './backup-rows.ts';

/** A backup is late when the last one is older than so many intervals. */
const LATE_INTERVALS = 2;

type Params = { account_id: string; are_late: boolean };

/** Tells whether the last backup, which is so old, was to be followed by another one. */
export const isLate = (age_seconds: number | null, every_ms: number): boolean =>
  age_seconds !== null && age_seconds * 1_000 > LATE_INTERVALS * every_ms;

/** Mails all administrators when backups are late, and when they are made again: once each. */
export async function watchBackups(database: Database, every_ms: number): Promise<void> {
  await database.transaction(async (tx) => {
    await noteBackups(tx);
    const are_late = isLate(await readBackupAge(tx), every_ms);
    if (await noteTold(tx, are_late)) await postLateMails(tx, are_late);
  });
}

async function postLateMails(tx: Queryable, are_late: boolean): Promise<void> {
  const administrators = await tx.query<{ id: string }>(sql`
    SELECT id FROM accounts WHERE is_administrator AND status = 'active' ORDER BY id`);
  for (const { id: account_id } of administrators) {
    const params: Params = { account_id, are_late };
    await postMail(tx, 'late_backups', params, { account_id });
  }
}

export function defineLateMail({ outbox, database, public_url, config }: Api): void {
  const { backup } = config;
  outbox.define<Params>('late_backups', async ({ account_id, are_late }) => {
    if (backup === null) return null;
    const place = namePlace(backup.to);
    const account = await database.queryOne<{ email: string }>(sql`
      SELECT email FROM accounts WHERE id = ${account_id}`);
    if (account === null) return null;
    return composeMail({
      to: account.email,
      subject: are_late ? 'Backups of Overworld are late' : 'Backups of Overworld are made again',
      paragraphs: are_late
        ? [
            `The last whole backup of this installation is too old, or there is none. The server makes backups in ${place}.`,
            'The page of administration says why the last try failed. The server goes on trying.',
          ]
        : [`The server has made a backup in ${place}, and has read it whole.`],
      action: { label: 'Open the administration', url: `${public_url}/admin` },
      note: 'You get this mail as an administrator of the installation.',
    });
  });
}
