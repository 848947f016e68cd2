import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChunkCutter } from './chunk-cutter.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-03-01T00:00:00.000Z');

/**
 * Cuts thirty days into chunks, each of which takes the time that
 * `timeOf` returns. Checks that the chunks contain every moment.
 */
function cutMonth(timeOf: (day: number, days: number) => number) {
  const end_ms = START_MS + 30 * DAY_MS;
  const cutter = createChunkCutter(START_MS, end_ms);
  const times_ms: number[] = [];
  let at_ms = START_MS;
  for (let chunk = cutter.next(); chunk !== null; chunk = cutter.next()) {
    assert.ok(chunk.from_ms === at_ms && chunk.to_ms > at_ms && times_ms.length < 1_000);
    at_ms = chunk.to_ms;
    const days = (chunk.to_ms - chunk.from_ms) / DAY_MS;
    const took_ms = timeOf((chunk.from_ms - START_MS) / DAY_MS, days);
    times_ms.push(took_ms);
    cutter.note(chunk, took_ms);
  }
  assert.equal(at_ms, end_ms);
  return times_ms;
}

test('many events are cut into chunks, each of which takes about the intended time', () => {
  const times_ms = cutMonth((_day, days) => 1 + days * 150);
  assert.ok(Math.max(...times_ms) < 100);
  assert.ok(times_ms.length > 60 && times_ms.length < 150, `${times_ms.length} chunks`);
});

test('chunks get shorter in a day with far more events, and longer after it', () => {
  const times_ms = cutMonth((day, days) => 1 + days * (day > 14 && day < 15 ? 3_000 : 1));
  assert.ok(times_ms.filter((ms) => ms > 200).length < 4);
  assert.ok(times_ms.length < 100, `${times_ms.length} chunks`);
});

test('a slow connection to the database does not make chunks ever shorter', () => {
  assert.ok(cutMonth(() => 200).length < 20);
  assert.ok(cutMonth((_day, days) => 200 + days * 150).length < 150);
});

test('a scan comes to its end on a busy machine, where any statement may be slow', () => {
  let seed = 1;
  const slow = cutMonth(() => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647) * 2_000;
  });
  assert.ok(slow.length <= 410, `${slow.length} chunks`);
});
