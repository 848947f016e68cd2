import { cpus } from 'node:os';
import { readMemoryMb, readOwnCpu, readTreeCpu } from './cpu.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { fillHistory, HISTORY_DAYS } from './event-history.ts';
import { runLoad } from './load.ts';
import { track } from './requests.ts';

/**
 * Measures reports that read the events themselves, on a month of a game of the Studio tier, each
 * beside a plain query of the table for the same result. Then it measures how much the reports slow
 * POST /v1/track, and how fast and with how much memory an export writes the events.
 */

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 200_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const RUNS = Number(process.env.BENCH_RUNS ?? 3);

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const encode = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const WHERE = `game_id = $1 AND environment = 'production'
  AND occurred_at >= date_trunc('day', now()) - interval '${HISTORY_DAYS} days'
  AND occurred_at < date_trunc('day', now())`;

const FUNNEL = ['session_start', 'level_complete', 'purchase'].map((event_name) => ({
  event_name,
}));
const NAIVE_FUNNEL = `
  WITH first AS (
    SELECT player_id, occurred_at FROM events WHERE ${WHERE} AND event_name = 'session_start'
  ), second AS (
    SELECT player_id, first.occurred_at, min(next.occurred_at) AS second_at
    FROM first JOIN events AS next USING (player_id)
    WHERE next.game_id = $1 AND next.environment = 'production'
      AND next.event_name = 'level_complete' AND next.occurred_at >= first.occurred_at
      AND next.occurred_at <= first.occurred_at + interval '7 days'
    GROUP BY 1, 2
  ), third AS (
    SELECT DISTINCT player_id FROM second JOIN events AS next USING (player_id)
    WHERE next.game_id = $1 AND next.environment = 'production' AND next.event_name = 'purchase'
      AND next.occurred_at >= second_at
      AND next.occurred_at <= second.occurred_at + interval '7 days'
  )
  SELECT (SELECT count(DISTINCT player_id) FROM first), (SELECT count(DISTINCT player_id) FROM second),
         (SELECT count(*) FROM third)`;
const naiveBreakdown = (event_name: string, group: string, property: string) => `
  SELECT properties ->> '${group}', count(*), count(DISTINCT player_id),
         sum((properties ->> '${property}')::numeric), avg((properties ->> '${property}')::numeric),
         percentile_cont(ARRAY[0, 0.25, 0.5, 0.75, 0.9, 0.99, 1]) WITHIN GROUP (
           ORDER BY (properties ->> '${property}')::float8)
  FROM events WHERE ${WHERE} AND event_name = '${event_name}'
  GROUP BY 1 ORDER BY 2 DESC`;

const REPORTS = [
  {
    name: 'funnel of 3 steps, a third of all events',
    path: `funnel?steps=${encode(FUNNEL)}`,
    naive: NAIVE_FUNNEL,
  },
  {
    name: 'breakdown of purchases by product, 1 % of all events',
    path: 'breakdown?event_name=purchase&group_by=product&property=price',
    naive: naiveBreakdown('purchase', 'product', 'price'),
  },
  {
    name: 'breakdown of completed levels, 25 % of all events',
    path: 'breakdown?event_name=level_complete&group_by=level&property=seconds',
    naive: naiveBreakdown('level_complete', 'level', 'seconds'),
  },
  {
    name: 'funnel of 2 steps with a condition and a breakdown',
    path: `funnel?breakdown=platform&steps=${encode([
      { event_name: 'session_start' },
      {
        event_name: 'purchase',
        filter: [{ property: 'price', operator: 'gte', value: 5 }],
      },
    ])}`,
    naive: null,
  },
  {
    name: 'segment: bought twice and did not start a session',
    path: `segment?events=${encode([
      { event_name: 'purchase', at_least: 2 },
      { event_name: 'session_start', did: false, at_least: 5 },
    ])}`,
    naive: null,
  },
];

const server = await startBenchServer();
try {
  const { game_id } = (await server.makeGames(1))[0]!;
  const token = await makeOwner(server, game_id);
  const headers = { authorization: `Bearer ${token}` };
  say(`${EVENTS} events of ${PLAYERS} players over ${HISTORY_DAYS} days; ${cpus().length} cores`);
  const filled_ms = await time(() =>
    fillHistory(server.database, { game_id, event_count: EVENTS, player_count: PLAYERS }),
  );
  say(`filled in ${Math.round(filled_ms / 1_000)} s`);
  await printStorage(server);

  const days = `from=${day(-HISTORY_DAYS)}&to=${day(-1)}`;
  let asked = 0;
  for (const { name, path, naive } of REPORTS) await compare(name, path, naive);
  await measureTrack(REPORTS[0]!.path);
  for (const format of ['ndjson', 'parquet']) await measureExport(format);

  /** The address of a report that is not cached: each begins one day earlier, before the first event. */
  function makeLink(path: string): string {
    const from = day(-HISTORY_DAYS - asked++);
    return `${server.url}/v1/games/${game_id}/analytics/${path}&from=${from}&to=${day(-1)}`;
  }

  async function compare(name: string, path: string, naive: string | null) {
    await answer(makeLink(path));
    const first: number[] = [];
    const again: number[] = [];
    let cpu_us = 0;
    for (let run = 0; run < RUNS; run++) {
      const link = makeLink(path);
      const cpu_before = readOwnCpu(server.server_pid) + readTreeCpu(server.postgres_pid);
      first.push(await time(() => answer(link)));
      cpu_us += readOwnCpu(server.server_pid) + readTreeCpu(server.postgres_pid) - cpu_before;
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

  async function answer(url: string) {
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  }

  /** Alternating, so that both see the same state of the machine. */
  async function measureTrack(path: string) {
    // The load goes to another game, because reports wait for the inbox of their own.
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

  async function measureExport(format: string) {
    const url = `${server.url}/v1/games/${game_id}/events/export?format=${format}&${days}`;
    const before_mb = readMemoryMb(server.server_pid);
    let peak_mb = 0;
    let bytes = 0;
    const took_ms = await time(async () => {
      const response = await fetch(url, { headers });
      let looked_ms = 0;
      for await (const part of response.body!) {
        bytes += part.length;
        if (performance.now() - looked_ms < 100) continue;
        looked_ms = performance.now();
        peak_mb = Math.max(peak_mb, readMemoryMb(server.server_pid));
      }
    });
    say(
      `export as ${format}: ${Math.round(bytes / 2 ** 20)} MB, ${Math.round(EVENTS / took_ms)}k events/s; server from ${Math.round(before_mb)} to at most ${Math.round(peak_mb)} MB`,
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

function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}

async function makeOwner({ url, database }: BenchServer, game_id: string): Promise<string> {
  const email = 'bench@studio.example';
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  });
  const { token, user } = (await response.json()) as { token: string; user: { id: string } };
  const client = await database.connect();
  await client.query(
    `INSERT INTO game_members (game_id, account_id, role) VALUES ($1, $2, 'owner')`,
    [game_id, user.id],
  );
  client.release();
  return token;
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
