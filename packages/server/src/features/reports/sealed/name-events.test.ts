import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gatherEvents } from './name-events.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function measure() {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const fields = (index: number) => ({ id: index, time: index, player: 1, session: 1, key_id: 'k' });

test('events with many properties take no more memory than they weigh', () => {
  const properties = Array.from({ length: 1_000 }, (_, index) => `"k${index}": 1`);
  const before = measure();
  const gathered = Array.from({ length: 30 }, (_, index) => {
    const events = gatherEvents();
    events.add(fields(index), `{${properties.join(', ')}}`);
    return events;
  });
  const bytes = measure() - before;
  const weight = gathered.reduce((sum, events) => sum + events.weight, 0);
  assert.ok(bytes < 2 * weight, `${bytes} bytes, ${weight} characters`);
});

test('a thousand properties of many events are not arranged at once', () => {
  const events = gatherEvents();
  for (let index = 0; index < 20_000; index++) {
    events.add(fields(index), `{"k${index % 1_000}": ${index}}`);
  }
  const before = measure();
  const finished = events.finish();
  const bytes = measure() - before;
  assert.ok(bytes < 10_000_000, `${bytes} bytes`);
  assert.deepEqual(
    finished.properties.get('k7')!().codes.slice(0, 8),
    Uint32Array.of(0, 0, 0, 0, 0, 0, 0, 1),
  );
});
