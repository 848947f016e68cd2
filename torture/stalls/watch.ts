import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Sends requests to a server that runs on this thread, and measures how long each blocks the event loop. */
interface Watch {
  /**
   * Sends a request. Resolves to the status of the answer (NaN without an answer), and to the time of the
   * longest turn of the event loop until the answer.
   */
  send(request: Uint8Array): Promise<{ stall_ms: number; status: number }>;
  close(): Promise<void>;
}

/** CPU time of this thread, which other work on the machine does not change. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

export function openWatch(url: string): Watch {
  const worker = new Worker(new URL('sender.ts', import.meta.url), {
    workerData: { port: Number(new URL(url).port) },
  });
  return {
    async send(request) {
      const answered = once(worker, 'message') as Promise<[number]>;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(request);
      let stall_ms = 0;
      let before = cpuMs();
      let isOver = false;
      const watch = () => {
        const now = cpuMs();
        stall_ms = Math.max(stall_ms, now - before);
        before = now;
        if (!isOver) setImmediate(watch);
      };
      setImmediate(watch);
      const [status] = await answered;
      isOver = true;
      return { stall_ms: Math.max(stall_ms, cpuMs() - before), status };
    },
    async close() {
      await worker.terminate();
    },
  };
}

/**
 * Measures the time to decode the body of a request and to parse it with `JSON.parse`.
 * The result is the mean of many calls, because the kernel's clock goes in steps of 4 ms.
 */
export function timeJsonParse(bytes: Buffer): number {
  const began = cpuMs();
  let calls = 0;
  let spent = 0;
  for (; spent < MEASURED_MS; spent = cpuMs() - began) {
    try {
      JSON.parse(bytes.toString());
    } catch {
      // The bytes are not JSON. `JSON.parse` may have read them to their end.
    }
    calls++;
  }
  return spent / calls;
}

const MEASURED_MS = 20;
