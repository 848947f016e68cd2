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

process.once('message', ({ attacks, scene, seconds }: Orders) => {
  const ends_at = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= ends_at;
  const outcome: Outcome = { statuses: {}, unanswered: 0, opened: 0 };
  const chosen = [...ATTACKS.entries()].filter(([, { name }]) => attacks.includes(name));
  const under_way = Promise.all(
    chosen.map(([index, { run }]) => run(createAttacker(index, { scene, outcome, isOver }))),
  );
  // The process does not wait for answers that are still to come.
  void Promise.race([under_way, sleep((seconds + 1) * 1_000)]).then(() =>
    process.send!(outcome, () => process.exit()),
  );
});
