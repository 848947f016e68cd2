import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS } from './attacks.ts';
import { createAttacker } from './attacker.ts';
import type { Outcome } from './attacker.ts';
import type { Scene } from './scene.ts';

/**
 * Orders for the process that runs the attacks. It is a separate process,
 * so that the CPU time of attacks is not counted as the server's.
 */
export interface Orders {
  attacks: readonly string[];
  scene: Scene;
  seconds: number;
}

/** The longest wait for the first connection or answer. */
const PATIENCE_MS = 60_000;

process.once('message', async ({ attacks, scene, seconds }: Orders) => {
  const outcome: Outcome = { statuses: {}, unanswered: 0, opened: 0 };
  const hasBegun = () => outcome.opened > 0 || Object.keys(outcome.statuses).length > 0;
  const waits_until = performance.now() + PATIENCE_MS;
  let ends_at = Infinity;
  const isOver = () => performance.now() >= ends_at;
  const chosen = [...ATTACKS.entries()].filter(([, { name }]) => attacks.includes(name));
  const under_way = Promise.all(
    chosen.map(([index, { run }]) => run(createAttacker(index, { scene, outcome, isOver }))),
  );
  // The process has the lowest priority. While other processes are busy, seconds pass before it is at work.
  while (!hasBegun() && performance.now() < waits_until) await sleep(20);
  ends_at = performance.now() + seconds * 1_000;
  // The process does not wait for answers that are still to come.
  await Promise.race([under_way, sleep((seconds + 1) * 1_000)]);
  process.send!(outcome, () => process.exit());
});
