import assert from 'node:assert/strict';
import { ApiError } from '../../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { FairQueueOptions, Release } from '../fair-queue.ts';

export const PLENTY = { max_running: 100, max_waiting: 1_000 };

/** Makes a queue for networks and their accounts. It records the callers that started or were refused. */
export function watchQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({
    name: 'test',
    slots: 1,
    max_waiting: 1_000,
    deadline_ms: 60_000,
    limits: [PLENTY, PLENTY],
    refusal: 'Too much waits, try again later',
    ...options,
  });
  const started: string[] = [];
  const refused: string[] = [];
  const running: { label: string; release: Release }[] = [];
  const come = async (label: string, signal?: AbortSignal) => {
    const [network = '', account = ''] = label.split(':');
    try {
      const release = await queue.take([network, account], signal);
      started.push(label);
      running.push({ label, release });
    } catch (error) {
      assert.ok(error instanceof ApiError && error.status === 503);
      refused.push(label);
    }
  };
  return { queue, started, refused, running, come };
}

/** Waits until the callers that have got a slot go on. */
export const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Ends the running work, the oldest first, until nothing runs. */
export async function finishAll(watched: ReturnType<typeof watchQueue>): Promise<void> {
  for (await nextTurn(); watched.running.length > 0; await nextTurn()) {
    watched.running.shift()!.release();
  }
}
