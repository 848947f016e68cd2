import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** Sends requests from a thread of its own, so that only the server's work blocks the server's thread. */
const { port } = workerData as { port: number };

parentPort!.on('message', (bytes: Uint8Array) => {
  let head = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (chunk) => {
    if (head.length < 100) head += chunk.toString('latin1');
  });
  // A server that refuses a body may close the connection before the whole body is sent.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort!.postMessage(status);
  });
});
