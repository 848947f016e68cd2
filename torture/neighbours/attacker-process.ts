import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS } from './attacks.ts';
import { createAttacker } from './attacker.ts';
import type { Scene } from './scene.ts';

/** Runs attacks in a process of its own, so that its work is not taken for the server's. */
export interface Orders {
  attacks: readonly string[];
  scene: Scene;
  seconds: number;
}

process.once('message', ({ attacks, scene, seconds }: Orders) => {
  const ends_at = performance.now() + seconds * 1_000;
  const attacker = createAttacker(scene, () => performance.now() >= ends_at);
  const chosen = ATTACKS.filter(({ name }) => attacks.includes(name));
  const under_way = Promise.all(chosen.map(({ run }) => run(attacker)));
  // Answers that are still to come then are not waited for.
  void Promise.race([under_way, sleep((seconds + 1) * 1_000)]).then(() =>
    process.send!(attacker.outcome, () => process.exit()),
  );
});
