import { availableParallelism } from 'node:os';
import type { FairQueueOptions } from '../../../platform/queue/fair-queue.ts';

/**
 * The maximum number of reports that run at the same time. A report uses two
 * connections and one or two cores, so each report would take longer if more ran.
 */
const MAX_REPORTS = availableParallelism() > 2 ? 2 : 1;

const limitOf = (max_running: number, max_waiting: number) => ({ max_running, max_waiting });

/**
 * The queue of reports. Its three shares limit the reports of one network, one account and one game.
 * A report that has waited until the deadline is refused, because it would have no time left to run.
 */
export const REPORTS: FairQueueOptions = {
  name: 'reports',
  slots: MAX_REPORTS,
  max_waiting: 100,
  deadline_ms: 30_000,
  limits: [limitOf(MAX_REPORTS, 40), limitOf(MAX_REPORTS, 20), limitOf(MAX_REPORTS, 20)],
  refusal:
    'Other reports are being made, and the turn of this one did not come: try again in a minute',
};

/**
 * The queue of exported files that are being sent. A client that stops reading its
 * file keeps a page of events in the server's memory, until the server cuts the file
 * off after a while. Until then, other files of the same network may have to wait.
 */
export const FILES: FairQueueOptions = {
  name: 'exports',
  slots: 16,
  max_waiting: 32,
  deadline_ms: 45_000,
  limits: [limitOf(4, 8), limitOf(2, 4), limitOf(2, 4)],
  refusal: 'Other exports are running, try again when they have ended',
};

/**
 * The queue for reading exported files from the database,
 * part by part. A file waits for a turn before each part.
 */
export const PARTS: FairQueueOptions = {
  name: 'export_parts',
  slots: 2,
  max_waiting: FILES.slots,
  deadline_ms: 120_000,
  limits: [limitOf(2, FILES.slots), limitOf(2, FILES.slots), limitOf(2, FILES.slots)],
  refusal: 'Other exports kept this one waiting for 2 minutes, try again later',
};
