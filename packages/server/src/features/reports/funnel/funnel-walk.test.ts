import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFunnelWalk } from './funnel-walk.ts';
import { countCases } from '../../../../test/long-forms.ts';

/** There are few names and few times, so that ties and repetitions are common. */
const names = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 5 });
const times = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 });

/**
 * Lists all attempts (the times of events that follow the steps of the funnel) by trying every list of
 * events.
 */
function listAttempts(event_names: readonly string[], events: readonly number[][], window: number) {
  const found: number[][] = [];
  const extend = (taken: readonly number[]) => {
    found.push([...taken]);
    const step = taken.length;
    if (step === event_names.length) return;
    for (const time of events[step]!) {
      const follows = taken.every((earlier, index) =>
        event_names[index] === event_names[step] ? time > earlier : time >= earlier,
      );
      if (follows && time - taken[0]! <= window) extend([...taken, time]);
    }
  };
  for (const start of events[0]!) extend([start]);
  return found;
}

/** Passes the times of the events of each step on. */
function walkWith(walk: ReturnType<typeof createFunnelWalk>, events: readonly number[][]) {
  const bounds = Uint32Array.of(
    0,
    ...events.keys().map((step) => events.slice(0, step + 1).flat().length),
  );
  return walk(Float64Array.from(events.flat()), bounds);
}

test('the attempt with the most steps counts, and among several the one whose steps are earliest', () => {
  fc.assert(
    fc.property(
      names.chain((event_names) =>
        fc.tuple(
          fc.constant(event_names),
          fc.tuple(...event_names.map(() => times)),
          fc.integer({ min: 0, max: 12 }),
        ),
      ),
      ([event_names, unsorted, window]) => {
        const events = unsorted.map((list) => list.toSorted((a, b) => a - b));
        const walk = createFunnelWalk({ event_names, window });
        const attempt = walkWith(walk, events);
        // The attempts are ordered by depth, then by the times of their steps.
        const best = listAttempts(event_names, events, window).toSorted((a, b) => {
          if (a.length !== b.length) return b.length - a.length;
          const differing = a.findIndex((time, step) => time !== b[step]);
          return differing === -1 ? 0 : a[differing]! - b[differing]!;
        })[0];
        assert.equal(attempt.depth, best?.length ?? 0);
        if (best) assert.deepEqual([...attempt.times.subarray(0, attempt.depth)], best);
      },
    ),
    { numRuns: countCases(3_000) },
  );
});

test('a player with many attempts is handled in one pass over the events', () => {
  const count = 300_000;
  const walk = createFunnelWalk({ event_names: ['a', 'b', 'c'], window: 1 });
  const first = Array.from({ length: count }, (_, index) => index * 10);
  const events = Float64Array.from([...first, ...first.map((time) => time + 1), count * 10]);
  const bounds = Uint32Array.of(0, count, 2 * count, events.length);
  const before = process.cpuUsage();
  assert.equal(walk(events, bounds).depth, 2);
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});
