import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finishAll, nextTurn, watchQueue } from './test/watched-queue.ts';

test('no owner overtakes the first waiting work of another owner more than once', async () => {
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
      // For each network with waiting work, the networks whose work has started before its first waiting
      // work.
      const overtaken = new Map<string, string[]>();
      const waiting = new Map<string, number>();
      let seen = 0;
      const look = async () => {
        await nextTurn();
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
        // No slot is free while work waits.
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

test('in any order of events, no owner exceeds its limit and all slots are freed', async () => {
  const label = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'))
    .map(([network, account]) => `${network}:${account}`);
  const step = fc.oneof(
    label.map((who) => ({ kind: 'come' as const, who })),
    fc.nat(20).map((index) => ({ kind: 'end' as const, index })),
    fc.nat(20).map((index) => ({ kind: 'leave' as const, index })),
  );
  const limit = fc.record({ max_running: fc.integer({ min: 1, max: 3 }), max_waiting: fc.nat(4) });
  const settings = fc.record({
    slots: fc.integer({ min: 1, max: 4 }),
    max_waiting: fc.nat(8),
    limits: fc.tuple(limit, limit),
  });
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { maxLength: 80 }), async (options, played) => {
      const watched = watchQueue(options);
      const callers: AbortController[] = [];
      const [network_limit, account_limit] = options.limits;
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
        await nextTurn();
        const labels = watched.running.map((run) => run.label);
        assert.ok(labels.length <= options.slots);
        for (const network of ['a', 'b', 'c']) {
          const own = labels.filter((running) => running.startsWith(network));
          assert.ok(own.length <= network_limit.max_running);
          for (const account of ['1', '2']) {
            const same = own.filter((running) => running.endsWith(account));
            assert.ok(same.length <= account_limit.max_running);
          }
        }
      }
      await finishAll(watched);
      assert.equal(watched.started.length + watched.refused.length, callers.length);
      // All slots can be taken again.
      for (let index = 0; index < options.slots; index++) void watched.come(`new${index}:1`);
      await nextTurn();
      assert.equal(watched.running.length, options.slots);
      await finishAll(watched);
    }),
  );
});
