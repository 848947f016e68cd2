import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Sends requests to a server of this thread, and watches how long it holds the event loop. */
export interface Watch {
  /** The longest turn of the event loop until the answer, and its status; NaN: none came. */
  send(request: Uint8Array): Promise<{ stall_ms: number; status: number }>;
  close(): Promise<void>;
}

/** Time of this thread on a CPU, whatever else the machine does. */
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
 * What `JSON.parse` takes for the same bytes, decoding them included: the mean of as many calls as
 * the clock of the kernel, which goes in steps of 4 ms, needs.
 */
export function timeJsonParse(bytes: Buffer): number {
  const began = cpuMs();
  let calls = 0;
  let spent = 0;
  for (; spent < MEASURED_MS; spent = cpuMs() - began) {
    try {
      JSON.parse(bytes.toString());
    } catch {
      // It is no JSON, and that is known at its end.
    }
    calls++;
  }
  return spent / calls;
}

const MEASURED_MS = 20;
