import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { cloneDatabase } from '../../../../test/harness.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import type { RestorationKey } from '../../../platform/restorations/restoration.ts';
import { restorationStore } from './restoration-store.ts';

const question = {
  saved_from: '2026-01-01T00:00:00.000Z',
  saved_until: '2026-01-02T00:00:00.000Z',
  app_versions: [],
  segment: null,
  slot: null,
  data: [],
};

test('games take turns, however many restorations one of them has', async () => {
  const { url, drop } = await cloneDatabase();
  const database = openTestDatabase({ url }, { application_name: 'test', max_connections: 1 });
  const group = database.groups[0]!;
  const many = randomUUID();
  const one = randomUUID();
  const insert = (game_id: string) => {
    const key: RestorationKey = {
      game_id,
      environment: 'production',
      restoration_id: randomUUID(),
    };
    return restorationStore.insert(group, key, question, null);
  };
  for (const game_id of [many, many, many, one]) await insert(game_id);
  const claimed: string[] = [];
  const turns = new Set<string>();
  for (let turn = 0; turn < 8; turn++) {
    const restoration = await restorationStore.claim(group);
    claimed.push(restoration!.game_id === one ? 'one' : 'many');
    turns.add(restoration!.restoration_id);
    await restorationStore.release(group, restoration!);
  }
  assert.equal(claimed.filter((name) => name === 'one').length, 4, claimed.join(' '));
  assert.equal(turns.size, 4, 'each restoration has had a turn');
  await database.close();
  await drop();
});
