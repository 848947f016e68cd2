import { migrate } from '../platform/database/migrate.ts';
import type { Command } from './command.ts';
import { openInstallation, withDatabase } from './installation.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the database up to this release; `start` does it, too',
  words: 0,
  async run({ config, say }) {
    const installation = await openInstallation(config, say, { shared: true });
    try {
      const applied = await withDatabase(installation.connection, (database) => migrate(database));
      applied.forEach((name) => say(`Applied ${name}`));
      say('The database is up to date.');
    } finally {
      await installation.close();
    }
  },
};
