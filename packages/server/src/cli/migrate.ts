import { migrate } from '../platform/database/migrate.ts';
import type { Command } from './command.ts';
import { withInstallation } from './installation.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the database up to this release; `start` does this, too',
  words: 0,
  async run(context) {
    const applied = await withInstallation(
      context,
      (database) => migrate(database, { groups: context.config.tenant_groups }),
      { creates: true },
    );
    applied.forEach((name) => context.say(`Applied ${name}`));
    context.say('The database is up to date.');
  },
};
