import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 15_000;
const LOOK_INTERVAL_MS = 20;

/** Looks until the condition holds; fails after 15 s, far above what anything here takes. */
export async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not happen that ${what}`);
    await sleep(LOOK_INTERVAL_MS);
  }
}
