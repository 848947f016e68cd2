import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 15_000;
const LOOK_INTERVAL_MS = 20;

/** Waits until the condition holds, and fails after 15 s, which no test here needs. */
export async function waitUntil(event: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not happen that ${event}`);
    await sleep(LOOK_INTERVAL_MS);
  }
}
