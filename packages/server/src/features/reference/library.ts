import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

let loading: Promise<Buffer> | undefined;

/**
 * Loads the browser script that renders the reference, compressed by gzip to 1.3 MB. (Brotli would not do:
 * browsers accept it only over HTTPS.) The first call makes the script in a worker, because loading the
 * package takes 40 MB, which are free again when the worker ends.
 */
export function loadLibrary(): Promise<Buffer> {
  loading ??= packLibrary().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function packLibrary(): Promise<Buffer> {
  const worker = new Worker(new URL('./library-worker.ts', import.meta.url));
  const [bytes] = (await once(worker, 'message')) as [Uint8Array];
  await worker.terminate();
  return Buffer.from(bytes);
}
