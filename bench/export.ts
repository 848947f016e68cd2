import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXPORT_TASK } from '../packages/server/src/features/event-export/event-export.ts';
import { makeTaskDue } from '../packages/server/src/platform/background/task-store.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { drainInbox } from './background-work.ts';
import { startBenchServer } from './bench-server.ts';
import { readMemoryMb, readOwnCpu } from './cpu.ts';
import { fillHistory, HISTORY_DAYS } from './event-history.ts';
import { describeMachine, measure, median, RUNS, say } from './measure.ts';
import { watchMemory } from '../torture/machine/memory.ts';
import { makeOwner } from './owner.ts';
import { track } from './requests.ts';

/**
 * `npm run bench:export`: measures how events get into files. First each format of the API's export, then the
 * continuing export (EVENTS_EXPORT_TO): its cost, and what it costs `POST /v1/track`, as notes of the events
 * that are stored and while a run goes on.
 */

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 20_000);
const EVENTS_A_REQUEST = [1, 20];
const DAY_MS = 86_400_000;

const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'overworld-exported-'));
const server = await startBenchServer('warn', null, { EVENTS_EXPORT_TO: folder });
const { database } = server;
try {
  const [history, tracked] = await server.makeGames(2);
  await fillHistory(database, {
    game_id: history!.game_id,
    event_count: EVENTS,
    player_count: PLAYERS,
  });
  say(`${EVENTS} events; ${describeMachine()}`);
  const token = await makeOwner(server, history!.game_id);
  // The first files load and compile modules.
  for (const format of ['parquet', 'csv', 'ndjson', 'csv', 'parquet']) await download(format);

  const cpu_us = () => readOwnCpu(server.server_pid) + server.readPostgresCpu();
  const trackOnce = async (events: number) => {
    const prepared = { shape: track([tracked!.key], events), answer_bytes: 0 };
    const { per_second, server_us, postgres_us } = await measure(server, prepared, {
      waitForInbox: async (used) => void (await drainInbox(used)),
    });
    return { per_second: per_second * events, cpu: (server_us + postgres_us) / events };
  };
  const describe = (runs: { per_second: number; cpu: number }[]) =>
    `${Math.round(median(runs.map((run) => run.per_second)))} events/s, ${median(runs.map(({ cpu }) => cpu)).toFixed(1)} us of CPU an event`;

  // In turns, so that both see the machine in the same state.
  for (const events of EVENTS_A_REQUEST) {
    const runs = { without: [], noted: [] } as Record<
      string,
      Awaited<ReturnType<typeof trackOnce>>[]
    >;
    for (let run = 0; run <= RUNS; run++) {
      for (const way of ['without', 'noted']) {
        await (way === 'noted' ? begin() : forget());
        const measured = await trackOnce(events);
        if (run > 0) runs[way]!.push(measured);
      }
    }
    say(`${events} events a request, no export: ${describe(runs.without!)}`);
    say(`${events} events a request, noted for the export: ${describe(runs.noted!)}`);
  }

  await begin();
  for (const way of ['first run', 'run again']) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await database.execute(sql`
      UPDATE event_exports SET history_at = '-infinity', history_id = -1, is_history_done = false`);
    const cpu_before = { server: readOwnCpu(server.server_pid), all: cpu_us() };
    const before_mb = readMemoryMb(server.server_pid);
    const started = performance.now();
    const peak_mb = await watch(runTask());
    const seconds = (performance.now() - started) / 1_000;
    const own = (readOwnCpu(server.server_pid) - cpu_before.server) / 1e6;
    const all = (cpu_us() - cpu_before.all) / 1e6;
    const { files, bytes } = await measureFolder();
    say(
      `continuing export, ${way}: ${files} files, ${Math.round(bytes / 2 ** 20)} MB in ${seconds.toFixed(1)} s, ${own.toFixed(1)} s of CPU of the server and ${(all - own).toFixed(1)} s of PostgreSQL; server from ${before_mb} to at most ${peak_mb} MB`,
    );
  }
  await database.execute(sql`
    UPDATE event_exports SET history_at = '-infinity', history_id = -1, is_history_done = false`);
  const running = runTask();
  const beside = await trackOnce(1);
  say(`1 event a request, while the export runs: ${describe([beside])}`);
  await running;

  async function download(format: string) {
    const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    const days = `from=${day(-HISTORY_DAYS)}&to=${day(-1)}`;
    const url = `${server.url}/v1/games/${history!.game_id}/events/export?format=${format}&${days}`;
    const before_mb = readMemoryMb(server.server_pid);
    const started = performance.now();
    let bytes = 0;
    const peak_mb = await watch(
      (async () => {
        const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        if (!response.ok) throw new Error(await response.text());
        for await (const part of response.body!) bytes += part.length;
      })(),
    );
    const seconds = (performance.now() - started) / 1_000;
    say(
      `export as ${format}: ${Math.round(bytes / 2 ** 20)} MB in ${seconds.toFixed(1)} s; server from ${before_mb} to at most ${peak_mb} MB`,
    );
  }

  /** Waits for some work. @returns the most memory of the server meanwhile, in MB. */
  async function watch(work: Promise<unknown>): Promise<number> {
    const memory = watchMemory(server.server_pid);
    await work.finally(() => memory.stop());
    return memory.stop();
  }

  async function begin() {
    for (const { game_id } of [history!, tracked!]) {
      await database.execute(sql`
        INSERT INTO event_exports (game_id, environment, created_at)
        VALUES (${game_id}, 'production', now() - interval '1 hour')
        ON CONFLICT (game_id, environment) DO NOTHING`);
    }
  }

  async function forget() {
    await database.execute(sql`DELETE FROM event_exports`);
    await database.execute(sql`DELETE FROM event_export_batches`);
  }

  async function runTask() {
    const read = () =>
      database.queryOne<{ at: string | null; is_running: boolean; error: string | null }>(sql`
        SELECT last_started_at::text AS at, leased_until IS NOT NULL AS is_running,
               CASE WHEN failures > 0 THEN last_error END AS error
        FROM background_tasks WHERE name = ${EXPORT_TASK}`);
    const before = await read();
    await database.transaction((tx) => makeTaskDue(tx, EXPORT_TASK));
    for (let task = before; task!.at === before!.at || task!.is_running; task = await read()) {
      await sleep(50);
    }
    const { error } = (await read())!;
    if (error !== null) throw new Error(error);
  }

  async function measureFolder() {
    const names = await readdir(folder, { recursive: true });
    const files = names.filter((name) => name.endsWith('.parquet'));
    let bytes = 0;
    for (const name of files) bytes += (await stat(join(folder, name))).size;
    return { files: files.length, bytes };
  }
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
