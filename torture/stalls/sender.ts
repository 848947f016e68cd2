import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** Sends requests from its own thread, so only the server's work holds the server's thread. */
const { port } = workerData as { port: number };

parentPort!.on('message', (bytes: Uint8Array) => {
  let head = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (chunk) => {
    if (head.length < 100) head += chunk.toString('latin1');
  });
  // A server that refuses a body need not read the rest of it.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort!.postMessage(status);
  });
});
