import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work without a pause lasts this long at most, and until the end of the piece that is being worked on. */
const PAUSE_AFTER_MS = 5;

/** Lets other requests run, if the last pause is a while ago. Call it between pieces of long work. */
export type Pause = () => Promise<void>;

/** Makes the pauses of one piece of work that would block the event loop for too long. */
export function createPauses(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < PAUSE_AFTER_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
