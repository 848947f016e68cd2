import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { Packet } from './packet.ts';
import { createGroups } from './groups.ts';

/** The number of different values. Comparing each pair of values would take minutes. */
const VALUE_COUNT = 300_000;

test('grouping by a property that has a different value in each event takes little time', async () => {
  // This database finds no events, as if all players had been erased meanwhile.
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
