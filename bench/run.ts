import { drainInbox, waitForSeeding } from './background-work.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { readMemoryMb } from './cpu.ts';
import { measureFsyncRate } from './floors.ts';
import { LINES, LOGGED_LINES } from './lines.ts';
import type { Line, Prepared } from './line.ts';
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
import type { Measured, StatementFloor } from './measure.ts';
import { track } from './requests.ts';
import { describeWritten, readWritten, WRITTEN_COLUMNS } from './written.ts';

/**
 * `npm run bench [part of a line's name …]`: measures each line of docs/performance.md on its own server. The
 * same run also measures the floors of the line: how fast PostgreSQL runs the line's SQL statement alone, and
 * how fast Node answers the line's HTTP requests alone. With BENCH_SCORES=improving, each submit improves the
 * player's score.
 */

const COLUMNS = [
  'line',
  'a second',
  'p50 ms',
  'p99 ms',
  'p99 ms at half the rate',
  'CPU µs',
  'of the server',
  'of PostgreSQL',
  'of its statement alone',
  'its statement alone, a second',
  'HTTP alone',
  `of ${GENERATOR}`,
  'batch',
  'errors',
];

/** The number of games that share the load. On a cluster, each game is in its own group. */
const GAMES = Number(process.env.BENCH_GAMES ?? 1);

/** The rows of the second table, and the notes below it. */
const written: string[] = [];
const notes: string[] = [];
const memory_mb: number[] = [];

async function measureLine(server: BenchServer, line: Line): Promise<string> {
  const games = await server.makeGames(GAMES);
  const prepared = await line.prepare(server, games);
  await waitForSeeding(server);
  // A warm-up, because the first requests load and compile modules. `bench:growth` measures memory after it.
  await measure(server, prepared, { seconds: 2 });
  await waitForSeeding(server);
  const runs: Measured[] = [];
  const http: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    http.push(await measureHttpFloor(prepared.shape, prepared.answer_bytes));
    const isLast = run === RUNS - 1;
    runs.push(
      isLast &&
        prepared.shape.method !== 'GET' &&
        server.database.formFor({ plain: true, cluster: false })
        ? await measureWriting(server, line, prepared)
        : await measure(server, prepared, { waitForInbox: line.waitForInbox }),
    );
  }
  const of = (pick: (run: Measured) => number) => median(runs.map(pick));
  const rate = of((run) => run.per_second);
  const half = await measureHalf(server, prepared, rate);
  await line.waitForInbox?.(server);
  const statements: StatementFloor[] = [];
  // The SQL statements alone are measured last. They bypass the server, so afterwards the server must load
  // its copy of the board again.
  for (const { batch_size } of runs) {
    const alone = await measureStatementFloor(server, games[0]!, prepared, batch_size ?? 1);
    if (alone !== null) statements.push(alone);
  }
  await line.waitForInbox?.(server);
  if (line.note !== undefined) notes.push(`${line.name}: ${line.note}.`);
  const round = (value: number) => Math.round(value).toLocaleString('en-US');
  return [
    line.name,
    round(rate * (line.units_per_request ?? 1)),
    of((run) => run.p50_ms).toFixed(1),
    of((run) => run.p99_ms).toFixed(1),
    `${half.p99_ms.toFixed(1)} (${Math.round((half.per_second / rate) * 100)} %)`,
    round(of((run) => run.server_us + run.postgres_us)),
    round(of((run) => run.server_us)),
    round(of((run) => run.postgres_us)),
    ...(statements.length === 0
      ? ['', '']
      : [
          round(median(statements.map(({ postgres_us }) => postgres_us))),
          round(
            median(statements.map(({ per_second }) => per_second)) * (line.units_per_request ?? 1),
          ),
        ]),
    round(median(http)),
    round(of((run) => run.generator_us)),
    runs[0]!.batch_size === null ? '' : round(of((run) => run.batch_size!)),
    [...runs, half].reduce((sum, { errors }) => sum + errors, 0),
  ].join(' | ');
}

/**
 * Measures at half of the highest rate, over four times as many connections, which pause between requests.
 */
function measureHalf(server: BenchServer, prepared: Prepared, rate: number): Promise<Measured> {
  const connections = 4 * CONNECTIONS;
  const pause_ms = Math.max(1, Math.round((connections * 1_000) / (rate / 2)));
  return measure(server, prepared, { connections, pause_ms });
}

/** Measures a run and what PostgreSQL writes for the run, including the processing of its events. */
async function measureWriting(
  server: BenchServer,
  { name, waitForInbox }: Line,
  prepared: Prepared,
): Promise<Measured> {
  await waitForInbox?.(server);
  const before = await readWritten(server, prepared.shape);
  const measured = await measure(server, prepared, { waitForInbox });
  const after = await readWritten(server, prepared.shape);
  written.push([name, ...describeWritten(before, after, measured.requests)].join(' | '));
  return measured;
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
  notes.push(
    `Steady: ${Math.round(per_second * 20).toLocaleString('en-US')} events a second for ${seconds} s, p99 ${p99_ms.toFixed(1)} ms, ${errors} errors; lag at most ${Math.max(...lags).toFixed(1)} s, all processed ${drained_s.toFixed(1)} s after the end.`,
  );
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));

const sayHeader = (columns: readonly string[]) => {
  say(`| ${columns.join(' | ')} |`);
  say(`|${columns.map((_column, index) => (index === 0 ? '---' : '---:')).join('|')}|`);
};

/** Measures the lines that the arguments choose. */
async function measureLines(lines: readonly Line[], log_level: 'warn' | 'info'): Promise<void> {
  for (const line of lines.filter(({ name }) => isWanted(name))) {
    await withServer(log_level, async (server) => say(`| ${await measureLine(server, line)} |`));
  }
}

/** Does `work` on a new server, which has no work left from another line. */
async function withServer(
  log_level: 'warn' | 'info',
  work: (server: BenchServer) => Promise<unknown>,
): Promise<void> {
  const server = await startBenchServer(log_level);
  try {
    await work(server);
    memory_mb.push(readMemoryMb(server.server_pid));
  } finally {
    await server.close();
  }
}

say(`${describeMachine()}\n`);
say(
  `${CONNECTIONS} connections, ${RUNS} runs of ${SECONDS} s, medians; load generator, server and database share the cores.`,
);
say(
  `Writes of 8 KB with fsync, one after the other: ${Math.round(measureFsyncRate(1))} a second.\n`,
);
sayHeader(COLUMNS);
await measureLines(LINES, 'warn');
if (isWanted('steady')) await withServer('warn', measureSteadyEvents);
await measureLines(LOGGED_LINES, 'info');
notes.push(`Memory of the server after a line: at most ${Math.max(...memory_mb)} MB.`);
if (written.length > 0) {
  say('\nWritten by PostgreSQL for a request:\n');
  sayHeader(['line', ...WRITTEN_COLUMNS]);
  for (const cells of written) say(`| ${cells} |`);
}
for (const note of notes) say(`\n${note}`);
