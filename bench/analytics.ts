/**
 * `npm run bench:analytics`: measures how long reports on ten million events of one game take over the API
 * and, for comparison, as SQL over the raw events. BENCH_EVENTS and BENCH_PLAYERS change the size.
 */
import { cpus, totalmem } from 'node:os';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { makeOwner } from './owner.ts';
import { measureTables, SEED_DAYS, seedEvents, seedRollups } from './seed-events.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 200_000);
const RUNS = 15;
const NAIVE_RUNS = 2;
/** The time limit of a SQL query, in milliseconds. A slower query only gets "> limit" in the table. */
const NAIVE_LIMIT_MS = 60_000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const digits = (count: number) => count.toLocaleString('en-US');

interface Report {
  name: string;
  path: string;
  /** The same report as SQL over the raw events of the game `$1`, with days in UTC. */
  naive: string;
}

const RAW = `(SELECT *, (occurred_at AT TIME ZONE 'UTC')::date AS day
              FROM events WHERE game_id = $1 AND environment = 'production') AS raw`;
const PLAYED = `played AS MATERIALIZED (SELECT DISTINCT player_id, day FROM ${RAW})`;

const REPORTS: Report[] = [
  {
    name: 'overview',
    path: 'overview',
    naive: `
      SELECT day, count(*), count(DISTINCT player_id), count(DISTINCT session_id), max(newcomers)
      FROM ${RAW}
      JOIN (SELECT first AS day, count(*) AS newcomers
            FROM (SELECT min(day) AS first FROM ${RAW} GROUP BY player_id) AS arrived
            GROUP BY first) AS arrivals USING (day)
      GROUP BY day`,
  },
  {
    name: 'events by day',
    path: 'events',
    naive: `SELECT day, event_name, count(*) FROM ${RAW} GROUP BY 1, 2`,
  },
  {
    name: 'events by hour',
    path: 'events?by=hour',
    naive: `SELECT date_trunc('hour', occurred_at), event_name, count(*) FROM ${RAW} GROUP BY 1, 2`,
  },
  {
    name: 'active players',
    path: 'active-players',
    naive: `
      WITH ${PLAYED}
      SELECT until, count(DISTINCT player_id) FILTER (WHERE day = until),
             count(DISTINCT player_id) FILTER (WHERE day > until - 7), count(DISTINCT player_id)
      FROM (SELECT DISTINCT day AS until FROM played) AS days
      JOIN played ON day BETWEEN until - 29 AND until
      GROUP BY until`,
  },
  {
    name: 'retention',
    path: 'retention',
    naive: `
      WITH ${PLAYED}
      SELECT first, day - first, count(*)
      FROM played JOIN (SELECT player_id, min(day) AS first FROM played GROUP BY 1) AS arrived
        USING (player_id)
      GROUP BY 1, 2`,
  },
  {
    name: 'sessions',
    path: 'sessions',
    naive: `
      SELECT first::date, width_bucket(extract(epoch FROM last - first), ARRAY[10, 60, 180, 600]),
             count(*)
      FROM (SELECT min(occurred_at) AS first, max(occurred_at) AS last
            FROM ${RAW} GROUP BY player_id, session_id) AS sessions
      GROUP BY 1, 2`,
  },
];

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function timeReport(url: string, token: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${text}`);
  return performance.now() - begun;
}

/** Returns the milliseconds that the SQL query took; null when it took longer than the limit. */
async function timeNaive(
  server: BenchServer,
  text: string,
  game_id: string,
): Promise<number | null> {
  const client = await server.database.connect();
  try {
    await client.query(`SET statement_timeout = ${NAIVE_LIMIT_MS}`);
    const begun = performance.now();
    await client.query(text, [game_id]);
    return performance.now() - begun;
  } catch (error) {
    if ((error as { code?: string }).code === '57014') return null;
    throw error;
  } finally {
    client.release(true);
  }
}

async function timeNaiveRuns(
  server: BenchServer,
  text: string,
  game_id: string,
): Promise<number | null> {
  const times: number[] = [];
  for (let run = 0; run < NAIVE_RUNS; run++) {
    const time = await timeNaive(server, text, game_id);
    if (time === null) return null;
    times.push(time);
  }
  return Math.min(...times);
}

async function compare(server: BenchServer, game_id: string): Promise<void> {
  const token = await makeOwner(server, game_id);
  say('| report | API, median ms | slowest ms | naive ms | times faster |');
  say('|---|---:|---:|---:|---:|');
  for (const { name, path, naive } of REPORTS) {
    const url = `${server.url}/v1/games/${game_id}/analytics/${path}`;
    await timeReport(url, token);
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(await timeReport(url, token));
    const naive_ms = await timeNaiveRuns(server, naive, game_id);
    const report_ms = median(times);
    const atLeast = naive_ms === null ? '> ' : '';
    const shown_ms = naive_ms ?? NAIVE_LIMIT_MS;
    const figures = [
      report_ms.toFixed(1),
      Math.max(...times).toFixed(1),
      atLeast + digits(Math.round(shown_ms)),
      atLeast + digits(Math.round(shown_ms / report_ms)),
    ];
    say(`| ${name} | ${figures.join(' | ')} |`);
  }
}

async function showStorage(server: BenchServer, events: number): Promise<void> {
  say('\n| table | bytes an event | of these, indexes |');
  say('|---|---:|---:|');
  let total = 0;
  for (const { name, table_bytes, index_bytes } of await measureTables(server)) {
    total += table_bytes + index_bytes;
    const figures = [(table_bytes + index_bytes) / events, index_bytes / events];
    say(`| ${name} | ${figures.map((bytes) => bytes.toFixed(1)).join(' | ')} |`);
  }
  say(`| all | ${(total / events).toFixed(1)} | |`);
}

const server = await startBenchServer();
try {
  const { game_id } = (await server.makeGames(1))[0]!;
  const [key] = await server.database.query<{ id: string }>({
    text: 'SELECT id FROM api_keys WHERE game_id = $1',
    values: [game_id],
  });
  const begun = performance.now();
  const size = { events: EVENTS, players: PLAYERS };
  const events = await seedEvents(server, { game_id, key_id: key!.id }, size);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  say(
    `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  );
  say(
    `${digits(events)} events of ${digits(PLAYERS)} players in ${SEED_DAYS} days, made in ${seconds} s`,
  );
  say(`Rollups made anew in ${(await seedRollups(server, game_id)).toFixed(1)} s\n`);
  await compare(server, game_id);
  await showStorage(server, events);
} finally {
  await server.close();
}
