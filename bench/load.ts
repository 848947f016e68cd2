import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One kind of request, as wrk sends it: Lua that returns a request each time it is called. */
export interface Load {
  url: string;
  /** Body of Lua's `request()`; `n` counts this connection thread's requests from 1. */
  lua: string;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Answers other than 2xx and 3xx, and connections that failed. */
  errors: number;
  /** CPU that the load generator itself took, per request: the clock of the run. */
  generator_us: number;
}

/** Sends load with wrk, whose own cost per request is small and is reported. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'overworld-bench-'));
  const script = join(folder, 'load.lua');
  writeFileSync(script, `${SCRIPT_START}\n${load.lua}\nend\n${SCRIPT_END}`);
  try {
    const { connections, seconds, url } = load;
    const args = [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '30s',
      '-s',
      script,
      url,
    ];
    const output = await run('bash', [
      '-c',
      `TIMEFORMAT='cpu %U %S'; time wrk ${args.map((arg) => `'${arg}'`).join(' ')} 2>&1`,
    ]);
    return parse(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SCRIPT_START = `
math.randomseed(os.time() + 7)
local n = 0
request = function()
  n = n + 1`;

const SCRIPT_END = `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("result %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end`;

function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} failed:\n${output}`)),
    );
  });
}

function parse(output: string): LoadResult {
  const result = /^result (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output);
  const cpu = /^cpu ([\d.]+) ([\d.]+)$/m.exec(output);
  if (!result || !cpu) throw new Error(`wrk said:\n${output}`);
  const [requests, duration_us, p50_us, p99_us, errors] = result.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const seconds = duration_us / 1e6;
  return {
    requests,
    seconds,
    per_second: requests / seconds,
    p50_ms: p50_us / 1000,
    p99_ms: p99_us / 1000,
    errors,
    generator_us: ((Number(cpu[1]) + Number(cpu[2])) * 1e6) / Math.max(1, requests),
  };
}
