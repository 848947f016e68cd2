import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { createBatcher } from '../batch/batcher.ts';
import { makeSoleWorkerPool } from '../workers/worker-pool.ts';
import { createHistogram, createMetrics } from './metrics.ts';

test('a gauge that fails is left out, and the other gauges are shown', async () => {
  const metrics = createMetrics(makeSoleWorkerPool({ max_connections: 1 }));
  let fails = false;
  metrics.addGauge({
    name: 'flaky',
    help: 'Fails.',
    read: async () => (fails ? Promise.reject(new Error('away')) : 7),
  });
  metrics.addGauge({ name: 'steady', help: 'Works.', label: 'of', read: () => ({ a: 1, b: 2 }) });
  assert.match(await metrics.read(), /^flaky 7$/m);
  fails = true;
  const text = await metrics.read();
  assert.doesNotMatch(text, /^flaky /m);
  assert.match(text, /^steady\{of="a"\} 1$/m);
  assert.match(text, /^steady\{of="b"\} 2$/m);
  metrics.close();
});

test('metrics count requests that a full queue refuses, and requests whose flush fails', async () => {
  const metrics = createMetrics(makeSoleWorkerPool({ max_connections: 1 }));
  const gate = Promise.withResolvers<never>();
  const batcher = createBatcher<number, number>({
    name: 'numbers',
    max_batch_size: 10,
    max_queue_length: 2,
    flush: () => gate.promise,
  });
  const submitted = [1, 2, 3, 4].map((number) => batcher.submit(number));
  const settled = Promise.allSettled(submitted);
  await assert.rejects(submitted[3]!, /overloaded/);
  gate.reject(new Error('connection lost'));
  await settled;
  const text = await metrics.read();
  assert.match(text, /^overworld_queue_refusals_total\{batcher="numbers"\} 1$/m);
  assert.match(text, /^overworld_flush_failures_total\{batcher="numbers"\} 3$/m);
  metrics.close();
});

test('metrics show the length of queues and the size of flushes', async () => {
  const metrics = createMetrics(makeSoleWorkerPool({ max_connections: 1 }));
  const gate = Promise.withResolvers<void>();
  const batcher = createBatcher<number, number>({
    name: 'numbers',
    max_batch_size: 10,
    max_queue_length: 10,
    async flush(requests) {
      await gate.promise;
      return requests;
    },
  });
  const submitted = [1, 2, 3].map((number) => batcher.submit(number));
  assert.match(await metrics.read(), /^overworld_queue_length\{batcher="numbers"\} 2$/m);
  gate.resolve();
  await Promise.all(submitted);
  const text = await metrics.read();
  assert.match(text, /^overworld_queue_length\{batcher="numbers"\} 0$/m);
  assert.match(text, /^overworld_batch_size_sum\{batcher="numbers"\} 3$/m);
  assert.match(text, /^overworld_batch_size_count\{batcher="numbers"\} 2$/m);
  metrics.close();
});

test('a histogram counts a value in all buckets whose bounds are at least as large', async () => {
  const registry = new Registry();
  const seriesOf = createHistogram(registry, { name: 'sizes', help: 'Sizes.', bounds: [1, 5] });
  const small = seriesOf({ of: 'a' });
  for (const size of [0, 1, 2, 5, 6]) small.observe(size);
  seriesOf({ of: 'b' });
  const text = await registry.metrics();
  for (const line of [
    '# TYPE sizes histogram',
    'sizes_bucket{le="1",of="a"} 2',
    'sizes_bucket{le="5",of="a"} 4',
    'sizes_bucket{le="+Inf",of="a"} 5',
    'sizes_sum{of="a"} 14',
    'sizes_count{of="a"} 5',
    'sizes_count{of="b"} 0',
  ]) {
    assert.ok(text.split('\n').includes(line), `${line} is not in\n${text}`);
  }
});
