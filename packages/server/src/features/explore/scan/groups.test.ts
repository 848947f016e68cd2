import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { Packet } from './packet.ts';
import { createGroups } from './groups.ts';

const VALUE_COUNT = 300_000;

test('a property with a different value in each event is grouped quickly', async () => {
  // The database finds no event, as when all players have been erased meanwhile.
  const nowhere = { query: async () => [] as object[] } as unknown as ExploreDatabase;
  const selection = { game_id: '', environment: 'production' as const, starts_at: '', ends_at: '' };
  const groups = createGroups(nowhere, selection, 'e', 'p');
  const packet = { view: new DataView(new ArrayBuffer(0)), values: '' } as Packet;
  const before = process.cpuUsage();
  for (let value = 0; value < VALUE_COUNT; value++) {
    groups.numberOf(Math.imul(value, 0x9e37_79b1) >>> 0, value + 1, packet);
  }
  const sizes = new Uint32Array(groups.count()).fill(1);
  const { labels } = await groups.choose(sizes, 2, new AbortController().signal);
  const used_ms = process.cpuUsage(before).user / 1_000;
  assert.deepEqual(
    labels.map(({ kind }) => kind),
    ['value', 'value', 'other'],
  );
  assert.ok(used_ms < 1_000, `${used_ms} ms`);
});
