import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { readMemoryMb } from './cpu.ts';
import { measureFsyncRate } from './floors.ts';
import { drainInbox, LINES } from './lines.ts';
import type { Line } from './lines.ts';
import { GENERATOR } from './load.ts';
import {
  CONNECTIONS,
  describeMachine,
  measure,
  measureHttpFloor,
  measureStatementFloor,
  median,
  RUNS,
  say,
  SECONDS,
} from './measure.ts';
import type { Measured } from './measure.ts';
import { track } from './requests.ts';

/**
 * `npm run bench [part of a line's name …]`: measures each line of docs/performance.md on a server of
 * its own, and the floors in the same run.
 */

const COLUMNS = [
  'line',
  'a second',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'of the server',
  'of PostgreSQL',
  'of its statement alone',
  'HTTP alone',
  `of ${GENERATOR}`,
  'batch',
  'errors',
];

async function measureLine(server: BenchServer, line: Line): Promise<string> {
  const games = await server.makeGames(1);
  const prepared = await line.prepare(server, games);
  // Memory after the first requests is a figure of `bench:growth`: loading and compiling come first.
  await measure(server, prepared, { seconds: 2 });
  const runs: Measured[] = [];
  const http: number[] = [];
  const statement: (number | null)[] = [];
  for (let run = 0; run < RUNS; run++) {
    http.push(await measureHttpFloor(prepared.shape, prepared.answer_bytes));
    const measured = await measure(server, prepared);
    runs.push(measured);
    const batch_size = measured.batch_size ?? 1;
    statement.push(await measureStatementFloor(server, games[0]!, prepared, batch_size));
  }
  await line.waitForInbox?.(server);
  const of = (pick: (run: Measured) => number) => median(runs.map(pick));
  const round = (value: number) => Math.round(value).toLocaleString('en-US');
  return [
    line.name,
    round(of((run) => run.per_second) * (line.units_per_request ?? 1)),
    of((run) => run.p50_ms).toFixed(1),
    of((run) => run.p99_ms).toFixed(1),
    round(of((run) => run.server_us + run.postgres_us)),
    round(of((run) => run.server_us)),
    round(of((run) => run.postgres_us)),
    statement.includes(null) ? '' : round(median(statement as number[])),
    round(median(http)),
    round(of((run) => run.generator_us)),
    runs[0]!.batch_size === null ? '' : round(of((run) => run.batch_size!)),
    runs.reduce((sum, { errors }) => sum + errors, 0),
  ].join(' | ');
}

/** Tracks events at a steady rate and waits until the worker has processed all of them. */
async function measureSteadyEvents(server: BenchServer): Promise<void> {
  const games = await server.makeGames(1);
  const shape = track([games[0]!.key], 20);
  const prepared = { shape, answer_bytes: 62, batcher: 'track' };
  const seconds = 4 * SECONDS;
  const lags: number[] = [];
  const timer = setInterval(() => {
    void server.readMetric('overworld_inbox_age_seconds').then((lag) => lags.push(lag));
  }, 1_000);
  const { per_second, p99_ms, errors } = await measure(server, prepared, { seconds, pause_ms: 25 });
  clearInterval(timer);
  const drained_s = await drainInbox(server);
  say(
    `\nSteady: ${Math.round(per_second * 20).toLocaleString('en-US')} events a second for ${seconds} s, p99 ${p99_ms.toFixed(1)} ms, ${errors} errors; lag at most ${Math.max(...lags).toFixed(1)} s, worked off ${drained_s.toFixed(1)} s after the end`,
  );
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));

say(`${describeMachine()}\n`);
say(
  `${CONNECTIONS} connections, ${RUNS} runs of ${SECONDS} s, medians; load generator, server and database share the cores.`,
);
say(
  `Writes of 8 KB with fsync, one after the other: ${Math.round(measureFsyncRate(1))} a second.\n`,
);
say(`| ${COLUMNS.join(' | ')} |`);
say(`|${COLUMNS.map((_column, index) => (index === 0 ? '---' : '---:')).join('|')}|`);

const server = await startBenchServer();
try {
  for (const line of LINES.filter(({ name }) => isWanted(name))) {
    say(`| ${await measureLine(server, line)} |`);
  }
  if (isWanted('steady')) await measureSteadyEvents(server);
  say(`\nMemory of the server: ${readMemoryMb(server.server_pid)} MB`);
} finally {
  await server.close();
}
