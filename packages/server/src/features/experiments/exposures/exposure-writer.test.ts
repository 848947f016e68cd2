import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../platform/database/database.ts';
import { inOneGroup } from '../../../platform/database/game-groups.ts';
import type { StorageGuard } from '../../../platform/limits/storage-guard.ts';
import { createExposureWriter } from './exposure-writer.ts';

test('in a full game, a player with several exposures is looked up once, and look-ups are limited', async () => {
  let looked_up = 0;
  const refuse: (() => void)[] = [];
  const run = () => {
    looked_up++;
    return new Promise<never>((_resolve, reject) => refuse.push(() => reject(new Error('full'))));
  };
  const writer = createExposureWriter(inOneGroup({ formFor: ({ plain }) => plain } as Database), {
    run,
  } as unknown as StorageGuard);
  const note = (number: number) => {
    const player = { game_id: 'g', environment: 'production', player_id: `${number}` } as const;
    const exposures = ['a', 'b', 'c'].map((experiment_id) => ({
      ...player,
      experiment_id,
      variant: 0,
    }));
    writer.note(player, exposures);
    writer.note(player, []);
  };
  note(0);
  assert.equal(looked_up, 1);
  for (let number = 1; number < 6_000; number++) note(number);
  assert.equal(looked_up, 5_000);
  for (const each of refuse.splice(0)) each();
  await new Promise(setImmediate);
  note(0);
  assert.equal(looked_up, 5_001);
  await writer.close();
});
