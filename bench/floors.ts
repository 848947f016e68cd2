import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Measures how often 8 KB can be written and fsynced per second, one write after the other: the cost of
 * durability on this disk.
 */
export function measureFsyncRate(seconds: number): number {
  const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'overworld-fsync-'));
  const descriptor = openSync(join(folder, 'file'), 'w');
  const page = Buffer.alloc(8192, 1);
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < seconds * 1000) {
    writeSync(descriptor, page);
    fsyncSync(descriptor);
    count += 1;
  }
  const rate = count / ((performance.now() - started) / 1000);
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
  return rate;
}

/**
 * Answers every request, once its body has arrived, with the same JSON of the given size. This measures the
 * lowest possible cost of an HTTP request in Node. Runs in its own process: `node floors.ts <bytes>`.
 */
function serveFloor(bytes: number): void {
  const body = JSON.stringify({ x: 'x'.repeat(Math.max(0, bytes - 8)) });
  const server = createServer((request, response) => {
    request
      .on('data', () => undefined)
      .on('end', () => {
        response.setHeader('Content-Type', 'application/json; charset=utf-8');
        response.end(body);
      });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address) process.send?.(address.port);
  });
}

if (process.argv[1]?.endsWith('floors.ts') && process.send) serveFloor(Number(process.argv[2]));
