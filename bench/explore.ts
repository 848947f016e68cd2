import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { joinIngest } from '../packages/server/src/platform/ingest-lock.ts';
import { runSeals } from '../packages/server/src/features/reports/sealed/seal-run.ts';
import { readOwnCpu } from './cpu.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { fillHistory, HISTORY_DAYS } from './event-history.ts';
import { runLoad } from './load.ts';
import { makeOwner } from './owner.ts';
import { day, REPORTS, WATCHED } from './explore-reports.ts';
import { track } from './requests.ts';

/**
 * Measures reports that read the events themselves, on a month of events of one Studio game, from rows and
 * then from sealed days. Each report from rows is compared with a plain SQL query that has the same result. Then
 * the bench measures how much the reports slow POST /v1/track.
 */

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 200_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const RUNS = Number(process.env.BENCH_RUNS ?? 3);
/** `watched` measures only the reports that are requested with their progress; `restart` only first answers. */
const ONLY = process.env.BENCH_ONLY;

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

let server = await startBenchServer();
try {
  const { game_id } = (await server.makeGames(1))[0]!;
  const token = await makeOwner(server, game_id);
  const headers = { authorization: `Bearer ${token}` };
  await nameThePurchase();
  say(`${EVENTS} events of ${PLAYERS} players over ${HISTORY_DAYS} days; ${cpus().length} cores`);
  const filled_ms = await time(() =>
    fillHistory(server.database, { game_id, event_count: EVENTS, player_count: PLAYERS }),
  );
  say(`filled in ${Math.round(filled_ms / 1_000)} s`);
  await printStorage(server);

  let asked = 0;
  if (!ONLY) for (const { name, path, naive } of REPORTS) await compare(name, path, naive);
  const sealed_ms = await time(() =>
    runSeals(server.database, { joinIngest, retention_days: 0, rest_times: 0 }),
  );
  say(`sealed in ${Math.round(sealed_ms / 1_000)} s; now from sealed days`);
  if (!ONLY) for (const { name, path } of REPORTS) await compare(name, path, null);
  if (ONLY !== 'restart') for (const { name, path } of WATCHED) await measureWatched(name, path);
  if (!ONLY) await measureTrack(REPORTS[0]!.path);
  if (ONLY !== 'watched') for (const { name, path } of REPORTS) await measureRestarted(name, path);

  /** Measures the first answer of a server after its start, with nothing of the database in any cache. */
  async function measureRestarted(name: string, path: string) {
    await server.close({ keeps_folder: true });
    execFileSync('sync');
    const drop = 'find "$0" -type f -exec dd if={} iflag=nocache count=0 status=none ";"';
    execFileSync('sh', ['-c', drop, server.folder]);
    server = await startBenchServer('warn', null, {}, server.folder);
    const cpu_before = readOwnCpu(server.server_pid) + server.readPostgresCpu();
    const first_ms = await time(() => answer(makeLink(path)));
    const cpu_us = readOwnCpu(server.server_pid) + server.readPostgresCpu() - cpu_before;
    say(
      `${name}, after a restart: ${Math.round(first_ms)} ms (${Math.round(cpu_us / 1_000)} ms of CPU)`,
    );
  }

  /**
   * Returns the URL of a report that is not cached: each call makes the range begin one more day before
   * the first event.
   */
  function makeLink(path: string): string {
    const from = day(-HISTORY_DAYS - asked++);
    return `${server.url}/v1/games/${game_id}/analytics/${path}&from=${from}&to=${day(-1)}`;
  }

  async function nameThePurchase() {
    const settings = { event_name: 'purchase', amount_property: 'price', currency: 'EUR' };
    const response = await fetch(`${server.url}/v1/games/${game_id}/revenue-settings`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  async function compare(name: string, path: string, naive: string | null) {
    await answer(makeLink(path));
    const first: number[] = [];
    const again: number[] = [];
    let cpu_us = 0;
    for (let run = 0; run < RUNS; run++) {
      const link = makeLink(path);
      const cpu_before = readOwnCpu(server.server_pid) + server.readPostgresCpu();
      first.push(await time(() => answer(link)));
      cpu_us += readOwnCpu(server.server_pid) + server.readPostgresCpu() - cpu_before;
      again.push(await time(() => answer(link)));
    }
    const cpu_ms = Math.round(cpu_us / 1_000 / RUNS);
    let beside = '';
    if (naive !== null) {
      const client = await server.database.connect();
      await client.query("SET statement_timeout = '120s'");
      const naive_ms = await time(() => client.query(naive, [game_id])).catch(() => Infinity);
      client.release(true);
      beside = `; asked naively ${Math.round(naive_ms)} ms`;
    }
    say(
      `${name}: ${Math.round(median(first))} ms (${cpu_ms} ms of CPU), asked again ${Math.round(median(again))} ms${beside}`,
    );
  }

  /**
   * Measures the time until a user sees the report or its progress, and the time until the report ends.
   */
  async function measureWatched(name: string, path: string) {
    const first: number[] = [];
    const whole: number[] = [];
    const seen: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const started_ms = performance.now();
      const response = await fetch(`${makeLink(path)}&format=progress`, { headers });
      if (!response.ok) throw new Error(await response.text());
      let first_ms = 0;
      let text = '';
      for await (const part of response.body!) {
        first_ms ||= performance.now() - started_ms;
        text += Buffer.from(part).toString();
      }
      const lines = text.trim().split('\n');
      if (!lines.at(-1)!.startsWith('{"report"')) throw new Error(lines.at(-1));
      first.push(first_ms);
      whole.push(performance.now() - started_ms);
      seen.push(lines.filter((line) => line.includes('"reading"')).length);
    }
    say(
      `${name}: first answer after ${Math.round(median(first))} ms, whole answer after ${Math.round(median(whole))} ms, progress seen ${median(seen)} times`,
    );
  }

  async function answer(url: string) {
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  }

  /**
   * Measures the load alone, and then the load while reports are made. The two measurements alternate, so
   * both see the machine in the same state.
   */
  async function measureTrack(path: string) {
    // The load goes to another game, because reports wait for the inbox of their own game.
    const shape = track([(await server.makeGames(1))[0]!.key], 1);
    const load = { url: server.url, shape, connections: 32, seconds: SECONDS };
    const alone: number[] = [];
    const beside: number[] = [];
    let reports = 0;
    for (let run = 0; run < RUNS; run++) {
      alone.push((await runLoad(load)).per_second);
      const ended = new AbortController();
      const exploring = (async () => {
        while (!ended.signal.aborted) {
          const response = await fetch(makeLink(path), { headers, signal: ended.signal });
          await response.text();
          reports += Number(response.ok);
        }
      })().catch(() => undefined);
      beside.push((await runLoad(load)).per_second);
      ended.abort();
      await exploring;
    }
    const share = Math.round((1 - median(beside) / median(alone)) * 1_000) / 10;
    say(
      `POST /v1/track: ${Math.round(median(alone))}/s alone, ${Math.round(median(beside))}/s while funnels run (${share} % less; ${reports} funnels ended)`,
    );
  }
} finally {
  await server.close();
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started_ms = performance.now();
  await work();
  return performance.now() - started_ms;
}

async function printStorage({ database }: BenchServer): Promise<void> {
  const client = await database.connect();
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT regexp_replace(relname, '_20\\d\\d_\\d\\d', '') AS name,
            round(sum(pg_relation_size(pg_class.oid)) / $1, 1) AS bytes
     FROM pg_class WHERE relname ~ '^events_20' AND relkind IN ('r', 'i')
     GROUP BY 1 ORDER BY 2 DESC`,
    [EVENTS],
  );
  client.release();
  const total = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const parts = rows.map(({ name, bytes }) => `${name} ${bytes}`).join(', ');
  say(`storage: ${Math.round(total)} bytes an event (${parts})`);
}
