import type { ArchiveReader } from '../../features/backups/archive/read-archive.ts';
import type { Database } from '../../platform/database/database.ts';
import { openArchiveFile } from '../archive/open-archive-file.ts';
import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { countRows, groupDigits } from '../progress.ts';
import { inSeconds, tryRestore, withDryRunFolder } from './dry-run.ts';
import { restore } from './restore-archive.ts';

export const restoreCommand: Command = {
  name: 'restore',
  usage: '<file> [--dry-run]',
  summary:
    'Load a backup (a file, s3://bucket/folder/name, or for - standard input) into an empty installation, with as many groups of games as TENANT_GROUPS says; --dry-run loads it into a database that is deleted afterwards',
  options: { 'dry-run': { type: 'boolean' } },
  words: 1,
  async run(context) {
    const [file = ''] = context.words;
    const archive = await openArchiveFile(file, context.config);
    if (archive.header.overworld !== 'installation') {
      throw new CommandError(`${archive.name} holds one game: load it with overworld import-game.`);
    }
    if (context.options['dry-run'] === true) return describeRestore(context, archive);
    const { tenant_groups } = context.config;
    const restoreHere = (database: Database) => restore(database, archive, tenant_groups);
    const { rows } = await withInstallation(context, restoreHere, {
      shared: false,
      creates: true,
    });
    context.say(`Restored ${countRows(rows)}. Start the server with the same settings: npm start.`);
  },
};

async function describeRestore(context: CommandContext, archive: ArchiveReader): Promise<void> {
  const { header } = archive;
  const restored = await withDryRunFolder(context, (folder) =>
    tryRestore(context, folder, archive),
  );
  context.say(
    `The backup of ${header.made_at}, by release ${header.release}, can be restored: ${countRows(restored.rows)}, with ${groupDigits(restored.accounts)} accounts and ${groupDigits(restored.games)} games, in ${inSeconds(restored.took_ms)}. Nothing was changed.`,
  );
}
