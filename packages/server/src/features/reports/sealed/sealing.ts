import { createTaskThread } from '../../../platform/background/task-thread.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { SealedDays } from './seal-run.ts';
import type { SealThreadOptions } from './seal-thread.ts';

export const SEAL_TASK = 'sealing days of events';
/**
 * An erasure unseals all days of the player, so this bounds how often a month is sealed again. The first run comes
 * after this time, too. Until then, servers of an earlier release may run, which change events without unsealing
 * their days.
 */
const INTERVAL_MS = 6 * 3_600_000;

/** Seals past days of events, on one of all servers. */
export function startSealing({ background, config, connection, logger, opened }: Platform): void {
  const options: SealThreadOptions = {
    connection,
    retention_days: config.event_retention_days,
    run_ms: INTERVAL_MS,
  };
  const thread = opened.add(
    createTaskThread<SealedDays>(new URL('./seal-thread.ts', import.meta.url), options),
  );
  background.onOneServer(INTERVAL_MS, SEAL_TASK, async () => {
    const sealed = await thread.run();
    if (sealed.days > 0) logger.info(sealed, 'days of events sealed');
  });
}
