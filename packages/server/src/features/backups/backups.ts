import { listTaskStates } from '../../platform/background/task-store.ts';
import { createTaskThread } from '../../platform/background/task-thread.ts';
import type { Api } from '../../platform/http/api.ts';
import { findLastBackup, findLastFileBackup, forgetBackups, readBackupAge } from './backup-rows.ts';
import type { BackupThreadOptions } from './backup-thread.ts';
import { defineLateMail, isLate, watchBackups } from './late-backups.ts';
import type { MadeBackup } from './make-backup.ts';
import { namePlace } from '../../platform/stores/file-store.ts';

const TASK = 'making backups';
const WATCH_INTERVAL_MS = 60_000;

/** Makes backups at the interval of the settings, on one of all servers, and watches that they are made. */
export async function startBackups(api: Api) {
  const { background, config, connection, database, logger, metrics, opened } = api;
  const { backup } = config;
  metrics.addGauge({
    name: 'overworld_backup_age_seconds',
    of_workers: 'first',
    help: 'Time since the last backup ended that was read back whole; without one, since servers began to make backups.',
    read: async () => (await readBackupAge(database)) ?? Number.NaN,
  });
  metrics.addGauge({
    name: 'overworld_backup_interval_seconds',
    of_workers: 'first',
    help: 'BACKUP_EVERY in seconds; 0 if the server makes no backups.',
    read: () => (backup?.every_ms ?? 0) / 1_000,
  });
  if (backup !== null) {
    const { every_ms } = backup;
    const options: BackupThreadOptions = { connection, backup, data_dir: config.data_dir };
    const script = new URL('./backup-thread.ts', import.meta.url);
    const thread = opened.add(createTaskThread<MadeBackup>(script, options));
    background.onOneServer(
      every_ms,
      TASK,
      async () => {
        const started_at = performance.now();
        const { problem, removed, ...made } = await thread.run();
        const took_ms = Math.round(performance.now() - started_at);
        logger.info({ ...made, removed: removed.length, took_ms }, 'backup made');
        if (problem !== null) logger.warn(`old backups were not removed: ${problem}`);
        if (took_ms > every_ms) logger.warn('the backup took longer than BACKUP_EVERY');
      },
      { is_due_at_first: true },
    );
    background.onOneServer(
      WATCH_INTERVAL_MS,
      'watching backups',
      () => watchBackups(database, every_ms),
      { is_due_at_first: true },
    );
  } else await forgetBackups(database);
  defineLateMail(api);

  return {
    /** Reads the state of backups, for administrators. */
    async readBackups() {
      const last_backup_at = await findLastBackup(database);
      const last_file_backup_at = await findLastFileBackup(database);
      if (backup === null) return { last_backup_at, last_file_backup_at, backups: null };
      const [task] = await listTaskStates(database, [TASK]);
      return {
        last_backup_at,
        last_file_backup_at,
        backups: {
          place: namePlace(backup.to),
          every_seconds: backup.every_ms / 1_000,
          keep: backup.keep,
          are_late: isLate(await readBackupAge(database), backup.every_ms),
          problem: task !== undefined && task.failures > 0 ? task.last_error : null,
        },
      };
    },
  };
}
