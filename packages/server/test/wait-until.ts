import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 60_000;
const LOOK_INTERVAL_MS = 20;

/**
 * Waits until the condition holds. Fails after a minute, which is enough for every test even on a busy
 * machine.
 */
export async function waitUntil(event: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not happen that ${event}`);
    await sleep(LOOK_INTERVAL_MS);
  }
}
