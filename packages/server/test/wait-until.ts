import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 60_000;
const LOOK_INTERVAL_MS = 20;

/** Waits until the condition holds, and fails after a minute, which no test needs even on a busy machine. */
export async function waitUntil(event: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not happen that ${event}`);
    await sleep(LOOK_INTERVAL_MS);
  }
}
