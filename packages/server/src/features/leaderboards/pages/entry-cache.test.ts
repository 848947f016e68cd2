import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EntryCache, TOP_RANKS, TopEntries } from './entry-cache.ts';
import { RankOrder } from '../copies/rank-order.ts';
import type { Entry } from '../store.ts';

const makeEntry = (entry_number: number, seq: number): Entry => ({
  entry_number,
  player_id: `p${entry_number}`,
  score: 1,
  seq,
  player_name: null,
  metadata: null,
  updated_at: '2026-01-31T12:00:00.000Z',
  tie_value: null,
});

/**
 * Makes a rank order whose entries have the numbers 0, 1, … and these sequence numbers (seqs). An entry gets
 * a new seq with every change.
 */
const makeOrder = (...seqs: number[]) =>
  new RankOrder(
    'descending',
    new Float64Array(seqs.length),
    Float64Array.from(seqs),
    Uint32Array.from(seqs.keys()),
  );

test('a cached entry is found only while its seq is the same as in the rank order', () => {
  const cache = new EntryCache();
  assert.equal(cache.find(0, makeOrder(5)), null);
  assert.deepEqual([...cache.missing_numbers], [0]);
  cache.put([makeEntry(0, 5)], 100);
  assert.equal(cache.find(0, makeOrder(5))?.seq, 5);
  assert.equal(cache.missing_numbers.size, 0);
  assert.equal(cache.find(0, makeOrder(6)), null);
  assert.deepEqual([...cache.missing_numbers], [0]);
});

test('the entry of a player is read again if it has changed after it was cached', () => {
  const cache = new EntryCache();
  cache.put([makeEntry(0, 5)], 100);
  assert.equal(cache.findNumber('p0', makeOrder(5), 100), 0);
  assert.equal(cache.findNumber('p0', makeOrder(6), 101), undefined);
  assert.deepEqual([...cache.missing_players], ['p0']);
});

test('the cache knows that a player has no entry only for the version of the board that was read', () => {
  const cache = new EntryCache();
  assert.equal(cache.findNumber('p0', makeOrder(), 100), undefined);
  cache.put([], 100);
  assert.equal(cache.findNumber('p0', makeOrder(), 100), null);
  assert.equal(cache.findNumber('p0', makeOrder(), 101), undefined);
});

test('a player whose entry was removed is read again, and then has no entry', () => {
  const cache = new EntryCache();
  cache.put([makeEntry(0, 5)], 100);
  assert.equal(cache.findNumber('p0', makeOrder(), 101), undefined);
  cache.put([], 101);
  assert.equal(cache.findNumber('p0', makeOrder(), 101), null);
});

test('an entry at the top of a board is found only while its seq is the same as in the rank order', () => {
  const top = new TopEntries();
  top.keep(0, { seq: 5, text: 'first' }, makeOrder(5));
  assert.equal(top.find(0, makeOrder(5))?.text, 'first');
  assert.equal(top.find(0, makeOrder(6)), null);
  top.keep(0, { seq: 6, text: 'second' }, makeOrder(6));
  assert.equal(top.find(0, makeOrder(6))?.text, 'second');
});

test('the number of cached entries is at most twice the size of the top, whatever changes on the board', () => {
  const top = new TopEntries();
  const seqs = Array.from({ length: 1_000 }, (_, number) => number);
  const order = makeOrder(...seqs);
  const one = { seq: 0, text: 'x'.repeat(100) };
  top.keep(0, one, order);
  const { bytes } = top;
  for (const number of seqs) {
    top.keep(number, { ...one, seq: number }, order);
    assert.ok(top.bytes <= 2 * TOP_RANKS * bytes);
  }
  assert.notEqual(top.find(TOP_RANKS - 1, order), null);
});
