import type { Crew } from '../../../platform/workers/crew.ts';
import type { InboxWorker } from './inbox-worker.ts';

/**
 * Ingests events in the first worker of the server alone, because larger passes cost less an event. The
 * other workers wake it.
 */
export function shareInboxWorker({ is_first, peers }: Crew, make: () => InboxWorker): InboxWorker {
  if (!is_first) {
    return {
      wake: () => peers.tell(0, 'wake the inbox', null),
      // If the first worker has died, callers see in the table that they must wait longer.
      processInbox: () => peers.call<void>(0, 'process the inbox', null).catch(() => undefined),
      close: async () => undefined,
    };
  }
  const worker = make();
  peers.serve('wake the inbox', async () => worker.wake());
  peers.serve('process the inbox', () => worker.processInbox());
  return worker;
}
