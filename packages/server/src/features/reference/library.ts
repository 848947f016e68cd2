import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

let loading: Promise<Buffer> | undefined;

/**
 * The browser script that renders the reference, compressed by gzip (1.3 MB): browsers accept
 * brotli over HTTPS only. The first request makes it in a worker, because loading the package takes
 * 40 MB, which the end of the worker frees.
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
