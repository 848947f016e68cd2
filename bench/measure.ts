import { fork } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BenchGame, BenchServer } from './bench-server.ts';
import { readOwnCpu } from './cpu.ts';
import type { Line, Prepared } from './line.ts';
import { GENERATOR, runLoad } from './load.ts';
import type { LoadResult } from './load.ts';
import type { RequestShape } from './request-shape.ts';

/**
 * `SECONDS` is the duration of a run, and `RUNS` the number of runs for each line of the benchmark's table.
 */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
export const RUNS = Number(process.env.BENCH_RUNS ?? 3);
export const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 32);

/** A run of load, with the CPU that server and database took for each request. */
export interface Measured extends LoadResult {
  server_us: number;
  postgres_us: number;
  /** Average number of requests in a batch; null where requests are not batched. */
  batch_size: number | null;
}

export const say = (text: string): boolean => process.stdout.write(`${text}\n`);

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

export const describeMachine = (): string =>
  `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}, load by ${GENERATOR}`;

/**
 * Measures one run for a line of the benchmark's table. `options` replace the default connections and
 * seconds. With `waitForInbox`, the CPU includes the processing of the events that were sent: at a high rate,
 * most of this work happens after the last request.
 */
export async function measure(
  server: BenchServer,
  { shape, batcher }: Prepared,
  {
    waitForInbox,
    ...options
  }: {
    connections?: number;
    seconds?: number;
    pause_ms?: number;
    waitForInbox?: Line['waitForInbox'];
  } = {},
): Promise<Measured> {
  const readBatches = async () => {
    if (batcher === undefined) return null;
    const labels = `batcher="${batcher}"`;
    return {
      requests: await server.readMetric('overworld_batch_size_sum', labels),
      flushes: await server.readMetric('overworld_batch_size_count', labels),
    };
  };
  const batches = await readBatches();
  const server_cpu = readOwnCpu(server.server_pid);
  const postgres_cpu = server.readPostgresCpu();
  const load = { url: server.url, shape, connections: CONNECTIONS, seconds: SECONDS, ...options };
  const result = await runLoad(load);
  await waitForInbox?.(server);
  const per_request = (after: number, before: number) =>
    (after - before) / Math.max(1, result.requests);
  const measured = {
    ...result,
    server_us: per_request(readOwnCpu(server.server_pid), server_cpu),
    postgres_us: per_request(server.readPostgresCpu(), postgres_cpu),
  };
  const later = await readBatches();
  const flushes = (later?.flushes ?? 0) - (batches?.flushes ?? 0);
  const batch_size = flushes > 0 ? (later!.requests - batches!.requests) / flushes : null;
  return { ...measured, batch_size };
}

/**
 * Measures the least CPU that a request can cost over HTTP, in µs: plain Node gives the same answer, without
 * a database.
 */
export async function measureHttpFloor(shape: RequestShape, bytes: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('floors.ts', import.meta.url)), [String(bytes)]);
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message) => resolve(Number(message))),
  );
  const before = readOwnCpu(child.pid!);
  const url = `http://127.0.0.1:${port}`;
  const seconds = Math.min(2, SECONDS);
  const { requests } = await runLoad({ url, shape, connections: CONNECTIONS, seconds });
  const floor = (readOwnCpu(child.pid!) - before) / requests;
  child.kill();
  return floor;
}

/**
 * The least cost of a line's requests in the database: only the SQL statement, without HTTP, in batches that
 * run one after the other.
 */
export interface StatementFloor {
  /** CPU of PostgreSQL, in µs a request. */
  postgres_us: number;
  /** Requests a second. A server that writes one batch at a time cannot answer more. */
  per_second: number;
}

/** Measures the SQL statement of a line, in batches of `batch_size` requests. */
export async function measureStatementFloor(
  server: BenchServer,
  game: BenchGame,
  { statement }: Prepared,
  batch_size: number,
): Promise<StatementFloor | null> {
  if (statement === undefined) return null;
  const size = Math.max(1, Math.round(batch_size));
  const runOnce = statement(server.hot, game.game_id, size);
  const before = server.readPostgresCpu();
  const started = performance.now();
  let batches = 0;
  while (performance.now() - started < Math.min(2, SECONDS) * 1_000) {
    await runOnce();
    batches += 1;
  }
  const requests = batches * size;
  return {
    postgres_us: (server.readPostgresCpu() - before) / requests,
    per_second: requests / ((performance.now() - started) / 1_000),
  };
}
