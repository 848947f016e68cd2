import { createTaskThread } from '../../platform/background/task-thread.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { beginExports } from './begun-exports.ts';
import { forgetEndedExports } from './ended-exports.ts';
import { readExportLag } from './export-lag.ts';
import type { ExportedFiles } from './export-run.ts';
import type { ExportThreadOptions } from './export-thread.ts';

export const EXPORT_TASK = 'exporting events';
const INTERVAL_MS = 3_600_000;
const FORGET_INTERVAL_MS = 86_400_000;

/** Exports events to EVENTS_EXPORT_TO, on one of all servers. */
export function startEventExport(
  { background, config, connection, database, logger, metrics, opened }: Platform,
  lockIngest: (tx: Queryable) => Promise<void>,
): void {
  const { events_export_to: to, event_retention_days } = config;
  metrics.addGauge({
    name: 'overworld_event_export_lag_seconds',
    of_workers: 'first',
    help: 'Time for which the oldest event has waited to be exported, or for which no file of a history has come; 0 without EVENTS_EXPORT_TO.',
    read: async () => (to === null ? 0 : readExportLag(database)),
  });
  background.onOneServer(FORGET_INTERVAL_MS, 'forgetting ended exports of events', () =>
    forgetEndedExports(database, EXPORT_TASK, event_retention_days),
  );
  if (to === null) return;
  const options: ExportThreadOptions = { connection, to, run_ms: INTERVAL_MS };
  const thread = opened.add(
    createTaskThread<ExportedFiles>(new URL('./export-thread.ts', import.meta.url), options),
  );
  background.onOneServer(
    INTERVAL_MS,
    EXPORT_TASK,
    async () => {
      await beginExports(database, lockIngest);
      const exported = await thread.run();
      if (exported.files > 0) logger.info(exported, 'events exported');
    },
    { is_due_at_first: true },
  );
}
