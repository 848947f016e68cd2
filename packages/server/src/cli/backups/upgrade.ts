import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createArchiveFile } from '../../features/backups/archive/archive-file.ts';
import { openArchive } from '../../features/backups/archive/read-archive.ts';
import { writeArchive } from '../../features/backups/archive/write-archive.ts';
import { listPending } from '../../platform/database/migrate.ts';
import { RELEASE } from '../../platform/release.ts';
import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { countRows, showProgress } from '../progress.ts';
import { inSeconds, tryRestore, withDryRunFolder } from './dry-run.ts';

export const upgradeCommand: Command = {
  name: 'upgrade',
  usage: '--check',
  summary:
    'Say whether the data can move to this release, and how long the migrations take: migrates a copy, which is deleted afterwards',
  options: { check: { type: 'boolean' } },
  words: 0,
  async run(context) {
    if (context.options.check !== true) {
      throw new CommandError(
        'A start of the new release upgrades the data. overworld upgrade --check tries that on a copy.',
      );
    }
    await withDryRunFolder(context, (folder) => tryUpgrade(context, folder));
  },
};

async function tryUpgrade(context: CommandContext, folder: string): Promise<void> {
  const path = join(folder, 'copy.ndjson.gz');
  const pending = await withInstallation(context, async (database) => {
    const names = await listPending(database);
    if (names.length === 0) return names;
    const progress = showProgress();
    const target = createArchiveFile(path, 'free some space there');
    const { rows } = await writeArchive(database, target, {
      game_id: null,
      with_secrets: true,
      onProgress: (count, table) => progress.update(null, `${countRows(count)} (${table})`),
    });
    progress.done(`Copied ${countRows(rows)}`);
    return names;
  });
  if (pending.length === 0) {
    return context.say(`The data is of release ${RELEASE} already: there is nothing to migrate.`);
  }
  const archive = await openArchive('The copy', createReadStream(path), null);
  const { migrations, migrate_ms } = await tryRestore(context, folder, archive);
  context.say(
    `The data can move to release ${RELEASE}: the migrations of a copy (${migrations.length}) took ${inSeconds(migrate_ms)}. Nothing was changed.`,
  );
}
