import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS } from './attacks.ts';
import { createAttacker } from './attacker.ts';
import type { Scene } from './scene.ts';

/** Runs one attack in a process of its own, so that its work is not taken for the server's. */
export interface Orders {
  attack: string;
  scene: Scene;
  seconds: number;
}

process.once('message', ({ attack, scene, seconds }: Orders) => {
  const ends_at = performance.now() + seconds * 1_000;
  const attacker = createAttacker(scene, () => performance.now() >= ends_at);
  const { run } = ATTACKS.find(({ name }) => name === attack)!;
  // What is still waited for then is not waited for.
  void Promise.race([run(attacker), sleep((seconds + 1) * 1_000)]).then(() =>
    process.send!(attacker.outcome, () => process.exit()),
  );
});
