import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import type { FairQueue } from '../../../platform/queue/fair-queue.ts';

/**
 * The queue for transactions that change logins. They may wait for the lock of their player. Meanwhile
 * each holds a connection that the calls of all games need. An owner's path is network, key, game.
 */
export const createLoginChanges = (): FairQueue =>
  createFairQueue({
    name: 'login_changes',
    slots: 2,
    max_waiting: 400,
    deadline_ms: 5_000,
    shares: [
      { max_running: 1, max_waiting: 100 },
      { max_running: 1, max_waiting: 100 },
      { max_running: 1, max_waiting: 100 },
    ],
    refusal: 'Too many players are changing their logins, try again in a few seconds',
  });
