import { availableParallelism } from 'node:os';
import type { FairQueueOptions } from '../../../platform/queue/fair-queue.ts';

/**
 * A report uses two connections and one or two cores. If more reports ran at the same time, each would take
 * longer.
 */
const MAX_REPORTS = availableParallelism() > 2 ? 2 : 1;

const share = (max_running: number, max_waiting: number) => ({ max_running, max_waiting });

/**
 * The queue of reports, with the shares of a network, an account and a game. A report that waited longer than
 * the deadline would have no time left.
 */
export const REPORTS: FairQueueOptions = {
  name: 'reports',
  slots: MAX_REPORTS,
  max_waiting: 100,
  deadline_ms: 30_000,
  shares: [share(MAX_REPORTS, 40), share(MAX_REPORTS, 20), share(MAX_REPORTS, 20)],
  refusal:
    'Other reports are being made, and the turn of this one did not come: try again in a minute',
};

/**
 * The queue of open files. A file that its client does not read costs a page of events in memory, and is cut
 * off after a while; other files of the same network wait until then.
 */
export const FILES: FairQueueOptions = {
  name: 'exports',
  slots: 16,
  max_waiting: 32,
  deadline_ms: 45_000,
  shares: [share(4, 8), share(2, 4), share(2, 4)],
  refusal: 'Other exports are running, try again when they have ended',
};

/** The queue of the parts of files that are read from the database. A file waits for a turn for each part. */
export const PARTS: FairQueueOptions = {
  name: 'export_parts',
  slots: 2,
  max_waiting: FILES.slots,
  deadline_ms: 120_000,
  shares: [share(2, FILES.slots), share(2, FILES.slots), share(2, FILES.slots)],
  refusal: 'Other exports kept this one waiting for 2 minutes, try again later',
};
