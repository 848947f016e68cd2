import { fork } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readOwnCpu, readTreeCpu, readMemoryMb } from './cpu.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { measureFsyncRate } from './floors.ts';
import { LINES } from './lines.ts';
import type { Line } from './lines.ts';
import { runLoad } from './load.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 32);

interface Measured {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  server_us: number;
  postgres_us: number;
  generator_us: number;
  errors: number;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function measure(server: BenchServer, lua: string): Promise<Measured> {
  const before = {
    server: readOwnCpu(server.server_pid),
    postgres: readTreeCpu(server.postgres_pid),
  };
  const load = { url: server.url, lua, connections: CONNECTIONS, seconds: SECONDS };
  const result = await runLoad(load);
  const per_request = (after: number, start: number) =>
    (after - start) / Math.max(1, result.requests);
  return {
    per_second: result.per_second,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    server_us: per_request(readOwnCpu(server.server_pid), before.server),
    postgres_us: per_request(readTreeCpu(server.postgres_pid), before.postgres),
    generator_us: result.generator_us,
    errors: result.errors,
  };
}

/** The same answer from plain Node without a database, right before each line: the floor of HTTP. */
async function measureFloor(bytes: number, lua: string): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('floors.ts', import.meta.url)), [String(bytes)]);
  const port = await new Promise<number>((resolve) =>
    child.once('message', (p) => resolve(Number(p))),
  );
  const before = readOwnCpu(child.pid!);
  const result = await runLoad({
    url: `http://127.0.0.1:${port}`,
    lua,
    connections: CONNECTIONS,
    seconds: Math.min(2, SECONDS),
  });
  const server_us = (readOwnCpu(child.pid!) - before) / result.requests;
  child.kill();
  return { ...result, server_us, postgres_us: 0 };
}

function combine(runs: Measured[]): Measured {
  const of = (pick: (run: Measured) => number) => median(runs.map(pick));
  return {
    per_second: of((run) => run.per_second),
    p50_ms: of((run) => run.p50_ms),
    p99_ms: of((run) => run.p99_ms),
    server_us: of((run) => run.server_us),
    postgres_us: of((run) => run.postgres_us),
    generator_us: of((run) => run.generator_us),
    errors: runs.reduce((sum, run) => sum + run.errors, 0),
  };
}

const COLUMNS = [
  'line',
  'per s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'server',
  'database',
  'wrk',
  '× floor CPU',
  'errors',
];

function row(line: Line, measured: Measured, floor: Measured): string {
  const cpu = measured.server_us + measured.postgres_us;
  const units = line.units_per_request ?? 1;
  return [
    line.name,
    Math.round(measured.per_second * units).toLocaleString('en-US'),
    measured.p50_ms.toFixed(1),
    measured.p99_ms.toFixed(1),
    Math.round(cpu),
    Math.round(measured.server_us),
    Math.round(measured.postgres_us),
    Math.round(measured.generator_us),
    (cpu / floor.server_us).toFixed(1),
    measured.errors,
  ].join(' | ');
}

const wanted = process.argv.slice(2);
const lines = LINES.filter(
  ({ name }) => wanted.length === 0 || wanted.some((w) => name.includes(w)),
);

say(
  `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`,
);
say(
  `${CONNECTIONS} connections, ${RUNS} runs of ${SECONDS} s each, medians; load generator, server and database share the cores`,
);
say(`fsync of 8 KB, one at a time: ${Math.round(measureFsyncRate(1))} a second\n`);
say(`| ${COLUMNS.join(' | ')} |`);
say(`|${COLUMNS.map((_column, index) => (index === 0 ? '---' : '---:')).join('|')}|`);

const server = await startBenchServer();
try {
  for (const line of lines) {
    const { lua, answer_bytes } = await line.prepare(server);
    const runs: Measured[] = [];
    const floors: Measured[] = [];
    for (let run = 0; run < RUNS; run++) {
      floors.push(await measureFloor(answer_bytes, lua));
      runs.push(await measure(server, lua));
    }
    say(`| ${row(line, combine(runs), combine(floors))} |`);
    await line.settle?.(server);
  }
  say(`\nMemory of the server process: ${readMemoryMb(server.server_pid)} MB`);
} finally {
  await server.close();
}
