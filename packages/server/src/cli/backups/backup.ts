import { checkArchive } from '../../features/backups/archive/check-archive.ts';
import { StoreError } from '../../platform/stores/store-error.ts';
import { writeArchive } from '../../features/backups/archive/write-archive.ts';
import { listBackups } from '../../features/backups/backup-names.ts';
import { recordFileBackup } from '../../features/backups/backup-rows.ts';
import { makeBackup } from '../../features/backups/make-backup.ts';
import { openStore } from '../../platform/stores/open-store.ts';
import type { BackupSettings } from '../../platform/backup-settings.ts';
import { openTarget } from '../archive/archive-target.ts';
import { openSource } from '../archive/open-archive-file.ts';
import type { ArchiveSource } from '../archive/open-archive-file.ts';
import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { countRows, groupDigits, showProgress } from '../progress.ts';

export const backupCommand: Command = {
  name: 'backup',
  usage: '[<file>] [--with-secrets] [--check]',
  summary:
    'Write the whole installation to a file (.ndjson, or .ndjson.gz), for - to standard output (gzip), or without a file to BACKUP_TO, also while it runs; --check reads a backup whole instead, or without a file all in BACKUP_TO',
  options: { 'with-secrets': { type: 'boolean' }, check: { type: 'boolean' } },
  words: 0,
  optional_words: 1,
  async run(context) {
    const [file] = context.words;
    const with_secrets = context.options['with-secrets'] === true;
    if (context.options.check === true) {
      if (with_secrets) throw new CommandError('--check makes no backup, so it has no secrets.');
      return file === undefined ? checkAll(context) : checkOne(context, file);
    }
    if (file !== undefined) return writeFile(context, file, with_secrets);
    if (with_secrets) {
      throw new CommandError('Backups in BACKUP_TO hold no secrets: name a file for this one.');
    }
    return writeToPlace(context);
  },
};

async function writeFile(
  context: CommandContext,
  file: string,
  with_secrets: boolean,
): Promise<void> {
  const progress = showProgress();
  await withInstallation(context, async (database) => {
    const target = openTarget(file);
    const { rows } = await writeArchive(database, target, {
      game_id: null,
      with_secrets,
      onProgress: (count, table) => progress.update(null, `${countRows(count)} (${table})`),
    });
    progress.done(`Backed up ${countRows(rows)} to ${target.name}`);
    // The database may be a replica that only reads. The backup is good all the same.
    await recordFileBackup(database).catch((error: Error) =>
      context.tell(`The page of administration does not see this backup: ${error.message}`),
    );
  });
}

async function writeToPlace(context: CommandContext): Promise<void> {
  const { to, keep } = requirePlace(context);
  const progress = showProgress();
  await withInstallation(context, async (database) => {
    const store = openStore(to, { spool_folder: context.config.data_dir });
    const made = await makeBackup(database, store, {
      keep,
      onProgress: (count, table) => progress.update(null, `${countRows(count)} (${table})`),
    });
    progress.done(`Backed up ${countRows(made.rows)} to ${made.name} in ${store.name}`);
    if (made.problem !== null) {
      context.tell(`Older backups could not be removed: ${made.problem}`);
    }
  });
}

async function checkOne(context: CommandContext, file: string): Promise<void> {
  context.say(await describeCheck(await openSource(file, context.config)));
}

/** Checks all backups in BACKUP_TO, the newest first. */
async function checkAll(context: CommandContext): Promise<void> {
  const store = openStore(requirePlace(context).to, { spool_folder: context.config.data_dir });
  const backups = listBackups(await store.list());
  if (backups.length === 0) throw new CommandError(`There is no backup in ${store.name}.`);
  let bad = 0;
  for (const { name } of backups) {
    try {
      context.say(await describeCheck({ name, ...(await store.read(name)) }));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      bad++;
      context.tell(error.message);
    }
  }
  if (bad > 0) {
    throw new CommandError(`${bad} of ${backups.length} backups in ${store.name} cannot be used.`);
  }
}

async function describeCheck({ name, source, bytes }: ArchiveSource): Promise<string> {
  const progress = showProgress();
  const { header, ...found } = await checkArchive(name, source, {
    bytes,
    onProgress: (share, rows) => progress.update(share, `${countRows(rows)} of ${name}`),
  });
  const scope = header.overworld === 'game' ? 'one game' : 'the installation';
  return `${name} is whole: ${scope} at ${header.made_at}, by release ${header.release}, with ${countRows(found.rows)} in ${groupDigits(found.bytes)} bytes.`;
}

function requirePlace({ config }: CommandContext): BackupSettings {
  if (config.backup !== null) return config.backup;
  throw new CommandError('Name a file, or set BACKUP_TO to the place of the backups.');
}
