import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLua } from './request-shape.ts';
import type { RequestShape } from './request-shape.ts';

export interface Load {
  url: string;
  shape: RequestShape;
  connections: number;
  seconds: number;
  /** The mean pause of a connection after each answer, in whole milliseconds; 0 by default. */
  pause_ms?: number;
}

export interface LoadResult {
  requests: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** The number of answers other than 2xx and 3xx, and of failed connections. */
  errors: number;
  /** The CPU time that the load generator itself took for each request, in microseconds. */
  generator_us: number;
}

/**
 * The program that sends the load. This is wrk if it is installed, because it uses only a fifth as much CPU
 * time as autocannon. Otherwise npm fetches autocannon.
 */
export const GENERATOR = spawnSync('wrk', ['-v']).error ? 'autocannon' : 'wrk';

/** Sends the load with the program that `GENERATOR` names, and returns its measurements. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'overworld-bench-'));
  try {
    const output = await run('bash', [
      '-c',
      `TIMEFORMAT='cpu %U %S'; time ${command(load, folder)}`,
    ]);
    return parse(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function command(load: Load, folder: string): string {
  const { url, shape, connections, seconds, pause_ms = 0 } = load;
  if (GENERATOR === 'wrk') {
    const script = join(folder, 'load.lua');
    writeFileSync(script, writeLua(shape, pause_ms));
    return `wrk -t1 -c${connections} -d${seconds}s --timeout 30s -s '${script}' '${url}' 2>&1`;
  }
  const question = join(folder, 'load.json');
  writeFileSync(question, JSON.stringify(load));
  const script = fileURLToPath(new URL('autocannon-load.ts', import.meta.url));
  return `npm exec --yes --package=autocannon@9.0.0 -c "'${process.execPath}' '${script}' '${question}'" 2>&1`;
}

function run(name: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${name} failed:\n${output}`)),
    );
  });
}

function parse(output: string): LoadResult {
  const result = /^result (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output);
  const cpu = /^cpu ([\d.]+) ([\d.]+)$/m.exec(output);
  if (!result || !cpu) throw new Error(`The load generator said:\n${output}`);
  const [requests, duration_us, p50_us, p99_us, errors] = result.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    requests,
    per_second: requests / (duration_us / 1e6),
    p50_ms: p50_us / 1000,
    p99_ms: p99_us / 1000,
    errors,
    generator_us: ((Number(cpu[1]) + Number(cpu[2])) * 1e6) / Math.max(1, requests),
  };
}
