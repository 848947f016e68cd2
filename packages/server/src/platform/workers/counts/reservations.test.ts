import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reservations } from './reservations.ts';

const WORKERS = 2;
const GIGABYTE = 2 ** 30;

function makePair(): [Reservations, Reservations] {
  const memory = Reservations.makeMemory(WORKERS, 64);
  const join = (worker: number) => new Reservations(memory, { seed: 1, workers: WORKERS, worker });
  return [join(0), join(1)];
}

test('all workers together can reserve no more than the free room', () => {
  const [first, second] = makePair();
  const at = first.find('a');
  assert.equal(second.find('a'), at);
  assert.equal(first.reserve(at, 6, 0, 10), true);
  assert.equal(second.reserve(at, 5, 0, 10), false);
  assert.equal(second.reserve(at, 4, 0, 10), true);
  first.end(at, 6);
  // The write that has ended may have used the room that it reserved. Therefore its reservation counts until
  // the room is measured again.
  assert.equal(first.reserve(at, 1, 0, 10), false);
  assert.equal(first.reserve(at, 6, first.ended(at), 10), true);
});

test('when a worker dies, its reservations end', () => {
  const [first, second] = makePair();
  const at = first.find('a');
  second.reserve(at, 7, 0, 10);
  first.reserve(at, 2, 0, 10);
  first.dropWorker(1);
  assert.equal(first.ended(at), 7);
  assert.equal(first.reserve(at, 8, first.ended(at), 10), true);
  assert.equal(first.reserve(at, 1, first.ended(at), 10), false);
});

test('reservations can still use the whole room after the 32-bit sums have wrapped around', () => {
  const [first] = makePair();
  const at = first.find('a');
  for (let gigabytes = 0; gigabytes < 9; gigabytes++) {
    const since = first.ended(at);
    assert.equal(first.reserve(at, GIGABYTE, since, GIGABYTE), true);
    assert.equal(first.reserve(at, 1, since, GIGABYTE), false);
    first.end(at, GIGABYTE);
  }
});
