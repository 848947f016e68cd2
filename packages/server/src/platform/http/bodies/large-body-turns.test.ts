import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '../../../../test/wait-until.ts';
import { fairQueueCreated } from '../../queue/fair-queue.ts';
import type { ObservedFairQueue } from '../../queue/fair-queue.ts';
import { startSlowServer } from '../test/slow-server.ts';

const LARGE = 65 * 1024;
const SMALL = 64 * 1024;

describe('large bodies', async () => {
  const queues: ObservedFairQueue[] = [];
  const note = (queue: unknown) => void queues.push(queue as ObservedFairQueue);
  fairQueueCreated.subscribe(note);
  const server = await startSlowServer({ TRUST_PROXY: 'true' });
  fairQueueCreated.unsubscribe(note);
  const turns = queues.find(({ name }) => name === 'large_bodies')!;
  before(() => server.listen());
  after(() => server.close());

  /** Sends a body for the client with this address. */
  const post = (name: string, address: string, bytes: number) => {
    const { port } = server.http.node.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const head = `POST /slow/${name} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n`;
    socket.write(`${head}content-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`);
    return socket;
  };
  const isHandled = (name: string) =>
    waitUntil(`${name} is handled`, async () => server.answers.has(name));
  const areWaiting = (count: number) =>
    waitUntil(`${count} wait`, async () => turns.waiting === count);

  test('are handled two at a time, their networks take turns, and small bodies do not wait', async () => {
    const sockets = ['a1', 'a2'].map((name) => post(name, '192.0.2.1', LARGE));
    await isHandled('a1');
    await isHandled('a2');
    for (const [index, name] of ['a3', 'a4'].entries()) {
      sockets.push(post(name, '192.0.2.1', LARGE));
      await areWaiting(index + 1);
    }
    sockets.push(post('b1', '192.0.2.2', LARGE));
    await areWaiting(3);
    sockets.push(post('small', '192.0.2.1', SMALL));
    await isHandled('small');

    for (const [answered, next] of [
      ['a1', 'a3'],
      ['a2', 'b1'],
      ['a3', 'a4'],
    ] as const) {
      assert.ok(!server.answers.has(next), `${next} was handled too early`);
      await server.answer(answered);
      await isHandled(next);
    }
    assert.equal(turns.waiting, 0);
    for (const name of ['b1', 'a4', 'small']) await server.answer(name);
    for (const socket of sockets) socket.destroy();
  });

  test('leave the queue as soon as their client hangs up', async () => {
    const sockets = ['d1', 'd2'].map((name) => post(name, '192.0.2.4', LARGE));
    await isHandled('d1');
    await isHandled('d2');
    const gone = post('d3', '192.0.2.4', LARGE);
    await areWaiting(1);
    let refusals = 0;
    turns.onRefused = () => refusals++;
    gone.destroy();
    await areWaiting(0);
    // If the body had stayed in the queue until its deadline, it would have been refused.
    assert.equal(refusals, 0);
    assert.ok(!server.answers.has('d3'));
    for (const name of ['d1', 'd2']) await server.answer(name);
    for (const socket of sockets) socket.destroy();
  });

  test('end their turn when their request ends, also after their client has hung up', async () => {
    const gone = ['c1', 'c2'].map((name) => post(name, '192.0.2.3', LARGE));
    await isHandled('c1');
    await isHandled('c2');
    for (const socket of gone) socket.destroy();
    for (const name of ['c1', 'c2']) await server.answer(name);
    const next = post('c3', '192.0.2.3', LARGE);
    await isHandled('c3');
    await server.answer('c3');
    next.destroy();
  });
});
