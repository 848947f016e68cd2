import type { Crew } from '../../../platform/workers/crew.ts';
import type { InboxWorker } from './inbox-worker.ts';

/**
 * Ingests the events of a group only in the first worker of the server, because larger passes cost less per
 * event. The other workers only wake the first one.
 * @param group The index of the group.
 */
export function shareInboxWorker(
  { is_first, peers }: Crew,
  group: number,
  make: () => InboxWorker,
): InboxWorker {
  const wake = `wake the inbox ${group}`;
  const process = `process the inbox ${group}`;
  if (!is_first) {
    return {
      wake: () => peers.tell(0, wake, null),
      // The call fails if the first worker has died. Callers need no error: they see that rows are still in
      // the inbox, and wait longer.
      processInbox: () => peers.call<void>(0, process, null).catch(() => undefined),
      close: async () => undefined,
    };
  }
  const worker = make();
  peers.serve(wake, async () => worker.wake());
  peers.serve(process, () => worker.processInbox());
  return worker;
}
