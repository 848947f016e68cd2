import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../errors.ts';
import { createFairQueue } from './fair-queue.ts';
import type { FairQueueOptions, Release } from './fair-queue.ts';
import { createMetrics } from '../metrics/metrics.ts';

const PLENTY = { max_running: 100, max_waiting: 1_000 };

/** A queue of networks and their accounts, with records of the callers that started and were refused. */
function watchQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({
    name: 'test',
    slots: 1,
    max_waiting: 1_000,
    deadline_ms: 60_000,
    shares: [PLENTY, PLENTY],
    refusal: 'Too much waits, try again later',
    ...options,
  });
  const started: string[] = [];
  const refused: string[] = [];
  const running: { label: string; release: Release }[] = [];
  const come = async (label: string, signal?: AbortSignal) => {
    const [network = '', account = ''] = label.split(':');
    try {
      const release = await queue.take([network, account], signal);
      started.push(label);
      running.push({ label, release });
    } catch (error) {
      assert.ok(error instanceof ApiError && error.status === 503);
      refused.push(label);
    }
  };
  return { queue, started, refused, running, come };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Ends the running work, the oldest first, until nothing runs. */
async function finishAll(watched: ReturnType<typeof watchQueue>): Promise<void> {
  for (await settle(); watched.running.length > 0; await settle()) {
    watched.running.shift()!.release();
  }
}

test('networks are served in turn, and so are the accounts of each network', async () => {
  const watched = watchQueue();
  const labels = ['a:1', 'a:1', 'a:1', 'a:2', 'a:3', 'a:3', 'b:1', 'b:1', 'c:1'];
  for (const label of labels) void watched.come(label);
  await finishAll(watched);
  assert.deepEqual(watched.started, [
    'a:1', // found the slot free
    'a:1',
    'b:1',
    'c:1',
    'a:2',
    'b:1',
    'a:3',
    'a:1',
    'a:3',
  ]);
});

test('an owner that comes back waits behind the owners that wait already', async () => {
  const watched = watchQueue();
  for (const label of ['a:1', 'b:1', 'a:1', 'b:1', 'c:1']) void watched.come(label);
  await finishAll(watched);
  assert.deepEqual(watched.started, ['a:1', 'b:1', 'a:1', 'c:1', 'b:1']);
});

test('no owner overtakes the first work of another owner twice', async () => {
  const label = fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3'))
    .map(([network, account]) => `${network}:${account}`);
  const step = fc.oneof(
    { weight: 3, arbitrary: label },
    { weight: 2, arbitrary: fc.constant(null) },
  );
  const steps = fc.array(step, { minLength: 1, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (played, slots) => {
      const watched = watchQueue({ slots });
      let came = 0;
      // The networks that have overtaken each waiting network since it waits.
      const overtaken = new Map<string, string[]>();
      const waiting = new Map<string, number>();
      let seen = 0;
      const look = async () => {
        await settle();
        for (const started of watched.started.slice(seen)) {
          const network = started[0]!;
          for (const [other, by] of overtaken) if (other !== network) by.push(network);
          const left = waiting.get(network)! - 1;
          waiting.set(network, left);
          overtaken.delete(network);
          if (left > 0) overtaken.set(network, []);
        }
        seen = watched.started.length;
        for (const by of overtaken.values()) assert.equal(new Set(by).size, by.length);
        // No slot is idle while something waits.
        assert.equal(
          watched.running.length,
          Math.min(slots, came - (seen - watched.running.length)),
        );
      };
      for (const next of played) {
        if (next === null) watched.running.shift()?.release();
        else {
          came++;
          const network = next[0]!;
          waiting.set(network, (waiting.get(network) ?? 0) + 1);
          if (!overtaken.has(network)) overtaken.set(network, []);
          void watched.come(next);
        }
        await look();
      }
      await finishAll(watched);
      assert.equal(watched.started.length, came);
    }),
  );
});

test('no owner exceeds its share, and all slots come back, in any order of arrivals and departures', async () => {
  const label = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'))
    .map(([network, account]) => `${network}:${account}`);
  const step = fc.oneof(
    label.map((who) => ({ kind: 'come' as const, who })),
    fc.nat(20).map((index) => ({ kind: 'end' as const, index })),
    fc.nat(20).map((index) => ({ kind: 'leave' as const, index })),
  );
  const share = fc.record({ max_running: fc.integer({ min: 1, max: 3 }), max_waiting: fc.nat(4) });
  const settings = fc.record({
    slots: fc.integer({ min: 1, max: 4 }),
    max_waiting: fc.nat(8),
    shares: fc.tuple(share, share),
  });
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { maxLength: 80 }), async (limits, played) => {
      const watched = watchQueue(limits);
      const callers: AbortController[] = [];
      const [network_share, account_share] = limits.shares;
      for (const next of played) {
        if (next.kind === 'come') {
          const caller = new AbortController();
          callers.push(caller);
          void watched.come(next.who, caller.signal);
        } else if (next.kind === 'end') {
          watched.running.splice(next.index, 1)[0]?.release();
        } else {
          callers[next.index]?.abort();
        }
        await settle();
        const labels = watched.running.map((run) => run.label);
        assert.ok(labels.length <= limits.slots);
        for (const network of ['a', 'b', 'c']) {
          const own = labels.filter((running) => running.startsWith(network));
          assert.ok(own.length <= network_share.max_running);
          for (const account of ['1', '2']) {
            const same = own.filter((running) => running.endsWith(account));
            assert.ok(same.length <= account_share.max_running);
          }
        }
      }
      await finishAll(watched);
      assert.equal(watched.started.length + watched.refused.length, callers.length);
      // All slots can be taken again.
      for (let index = 0; index < limits.slots; index++) void watched.come(`new${index}:1`);
      await settle();
      assert.equal(watched.running.length, limits.slots);
      await finishAll(watched);
    }),
  );
});

test('a full queue refuses the newest work of the largest owner, and takes the newcomer', async () => {
  const watched = watchQueue({ max_waiting: 4 });
  void watched.come('x:1');
  for (const label of ['a:1', 'a:2', 'a:2', 'b:1']) void watched.come(label);
  void watched.come('c:1');
  await settle();
  assert.deepEqual(watched.refused, ['a:2']);
  // It would have as much as the largest owner.
  void watched.come('b:1');
  await settle();
  assert.deepEqual(watched.refused, ['a:2', 'b:1']);
  void watched.come('d:1');
  await settle();
  assert.deepEqual(watched.refused, ['a:2', 'b:1', 'a:1']);
  // Each owner has one waiting, so the newcomer has no better claim.
  void watched.come('e:1');
  await settle();
  assert.deepEqual(watched.refused, ['a:2', 'b:1', 'a:1', 'e:1']);
  await finishAll(watched);
  assert.deepEqual(watched.started, ['x:1', 'a:2', 'b:1', 'c:1', 'd:1']);
});

test('an owner that has used up its share is refused alone, beginning with its largest part', async () => {
  const watched = watchQueue({
    shares: [
      { max_running: 1, max_waiting: 3 },
      { max_running: 1, max_waiting: 3 },
    ],
  });
  for (let index = 0; index < 5; index++) void watched.come('a:1');
  await settle();
  assert.deepEqual(watched.refused, ['a:1']);
  void watched.come('a:2');
  void watched.come('b:1');
  await settle();
  assert.deepEqual(watched.refused, ['a:1', 'a:1']);
  await finishAll(watched);
  assert.deepEqual(watched.started, ['a:1', 'a:1', 'b:1', 'a:2', 'a:1']);
});

test('an owner takes no more slots than its share, even while slots are free', async () => {
  const watched = watchQueue({ slots: 3, shares: [{ max_running: 2, max_waiting: 9 }, PLENTY] });
  for (const label of ['a:1', 'a:1', 'a:2', 'b:1']) void watched.come(label);
  await settle();
  assert.deepEqual(watched.started, ['a:1', 'a:1', 'b:1']);
  await finishAll(watched);
  assert.equal(watched.started.length, 4);
});

test('work is refused with Retry-After at its deadline, and frees its place', async () => {
  const metrics = createMetrics();
  const { queue } = watchQueue({ deadline_ms: 2 });
  const release = await queue.take(['a', '1']);
  await assert.rejects(
    queue.take(['b', '1']),
    (error) =>
      error instanceof ApiError && error.status === 503 && error.headers['retry-after'] === '1',
  );
  assert.match(await metrics.read(), /^overworld_turns_waiting\{queue="test"\} 0$/m);
  assert.match(await metrics.read(), /^overworld_turns_refused_total\{queue="test"\} 1$/m);
  release();
  (await queue.take(['b', '1']))();
  metrics.close();
});

test('a caller that hangs up leaves the queue at once and never gets a slot', async () => {
  const metrics = createMetrics();
  const { queue } = watchQueue();
  const release = await queue.take(['a', '1']);
  const caller = new AbortController();
  const left = assert.rejects(queue.take(['b', '1'], caller.signal), { status: 503 });
  const next = queue.take(['c', '1']);
  assert.match(await metrics.read(), /^overworld_turns_waiting\{queue="test"\} 2$/m);
  caller.abort();
  await left;
  assert.match(await metrics.read(), /^overworld_turns_waiting\{queue="test"\} 1$/m);
  await assert.rejects(queue.take(['b', '1'], caller.signal), { status: 503 });
  release();
  (await next)();
  metrics.close();
});

test('failed work gives its slot back, and a second release does nothing', async () => {
  const { queue } = watchQueue();
  const failing = queue.run(['a', '1'], () => Promise.reject(new Error('its own')));
  await assert.rejects(failing, { message: 'its own' });
  const release = await queue.take(['a', '1']);
  release();
  release();
  const second = await queue.take(['a', '1']);
  let third_runs = false;
  const third = queue.run(['b', '1'], async () => void (third_runs = true));
  await settle();
  assert.equal(third_runs, false);
  second();
  await third;
});
