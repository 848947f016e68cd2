import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { Packet } from './packet.ts';
import { createGroups } from './groups.ts';

/** So many that a step for each pair of values would take minutes. */
const VALUE_COUNT = 300_000;

test('a property with a different value in each event is grouped within the time of a test', async () => {
  // The database finds no event, as when all players have been erased meanwhile.
  const nowhere = { query: async () => [] as object[] } as unknown as ExploreDatabase;
  const selection = { game_id: '', environment: 'production' as const, starts_at: '', ends_at: '' };
  const groups = createGroups(nowhere, selection, 'e', 'p');
  const packet = { view: new DataView(new ArrayBuffer(0)), values: '' } as Packet;
  for (let value = 0; value < VALUE_COUNT; value++) {
    groups.numberOf(Math.imul(value, 0x9e37_79b1) >>> 0, value + 1, packet);
  }
  const sizes = new Uint32Array(groups.count()).fill(1);
  const { labels } = await groups.choose(sizes, 2, new AbortController().signal);
  assert.deepEqual(
    labels.map(({ kind }) => kind),
    ['value', 'value', 'other'],
  );
});
