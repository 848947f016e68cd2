import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../test/wait-until.ts';
import { makeSoleWorkerPool } from '../../../platform/workers/worker-pool.ts';
import { createLoadMeter, restByLoad } from './server-load.ts';

const loadOf = (share: number) =>
  Object.assign(new Float64Array(new SharedArrayBuffer(8)), [share]);
const timeOf = async (work: Promise<unknown>) => {
  const started_ms = performance.now();
  await work;
  return performance.now() - started_ms;
};

test('the load is the share of time that a thread is busy', async () => {
  const meter = createLoadMeter(makeSoleWorkerPool({ max_connections: 1 }));
  meter.start();
  await waitUntil('a busy thread shows', async () => {
    const until_ms = performance.now() + 100;
    while (performance.now() < until_ms);
    return meter.load[0]! > 0.8;
  });
  await waitUntil('an idle thread shows', async () => {
    await sleep(200);
    return meter.load[0]! > 0 && meter.load[0]! < 0.2;
  });
  meter.stop();
  assert.equal(meter.load[0], 0);
});

test('the busier the server is, the longer is the rest after work', async () => {
  const { signal } = new AbortController();
  const busy_ms = await timeOf(restByLoad(20, loadOf(1), signal));
  const half_busy_ms = await timeOf(restByLoad(20, loadOf(0.5), signal));
  assert.ok(busy_ms > 300 && half_busy_ms > 70, `${busy_ms} ms, ${half_busy_ms} ms`);
  const long_ms = await timeOf(restByLoad(1e9, loadOf(1), signal));
  // Without an upper bound, a rest after so much work would hardly end.
  assert.ok(long_ms > 900, `${long_ms} ms`);
  const stopped = AbortSignal.abort(new Error('a server with nothing to do is given no rest'));
  await restByLoad(1e9, loadOf(0), stopped);
});

test('an aborted signal ends the rest', async () => {
  const stopped = new AbortController();
  const rest = restByLoad(1e6, loadOf(1), stopped.signal);
  const reason = new Error('too late');
  stopped.abort(reason);
  await assert.rejects(rest, reason);
});
