import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { drainInbox } from './background-work.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { readMemoryMb } from './cpu.ts';
import { betterSubmitLine, LINES } from './lines.ts';
import type { Line } from './line.ts';
import { describeMachine, measure, say, SECONDS } from './measure.ts';
import type { Measured } from './measure.ts';
import { track } from './requests.ts';

/**
 * `npm run bench:growth [games] [boards] [events] [backlog] [connections]`: measures how the cost of a
 * request grows with the stored data and with the number of connections. A line of the benchmark's table
 * stands for one kind of request.
 */

/**
 * The maximum number of events that the part `events` stores. The figures in docs/performance.md are for
 * 20,000,000 events.
 */
const MAX_EVENTS = Number(process.env.BENCH_EVENTS ?? 2_000_000);

const number = (value: number) => Math.round(value).toLocaleString('en-US');

const describe = ({ per_second, p99_ms, server_us, postgres_us, errors }: Measured, units = 1) =>
  `${number(per_second * units)}/s, ${number(server_us + postgres_us)} µs, p99 ${p99_ms.toFixed(0)} ms${errors > 0 ? `, ${errors} errors` : ''}`;

const header = (title: string, columns: readonly string[]) => {
  say(`\n## ${title}\n`);
  say(`| line | ${columns.join(' | ')} |`);
  say(`|---|${columns.map(() => '---').join('|')}|`);
};

/** Measures each line, after a warm-up, with calls from 1, 10 and more games at the same time. */
async function measureGames(server: BenchServer): Promise<void> {
  const counts = [1, 10, 100, 1_000];
  header(
    'Games at once',
    counts.map((count) => `${number(count)} games`),
  );
  for (const line of LINES.filter(
    ({ name }) => !name.includes('2,000-') && !name.includes('1,000,000'),
  )) {
    const cells: string[] = [];
    for (const count of counts) {
      const prepared = await line.prepare(server, await server.makeGames(count));
      await measure(server, prepared, { seconds: 2 });
      cells.push(describe(await measure(server, prepared), line.units_per_request));
      await line.waitForInbox?.(server);
    }
    say(`| ${line.name} | ${cells.join(' | ')} |`);
  }
}

/**
 * Measures submits to larger and larger boards, and the first submit to a board that is not yet in
 * memory.
 */
async function measureBoards(server: BenchServer): Promise<void> {
  const sizes = [1_000, 10_000, 100_000, 1_000_000];
  header(
    'Size of a board',
    sizes.map((size) => `${number(size)} players`),
  );
  const first: string[] = [];
  const warm: string[] = [];
  for (const size of sizes) {
    const prepared = await betterSubmitLine(size).prepare(server, await server.makeGames(1));
    const started = performance.now();
    const response = await fetch(`${server.url}/v1/leaderboards`, {
      method: 'POST',
      headers: { 'x-game-api-key': prepared.shape.keys[0]!, 'content-type': 'application/json' },
      body: '{"board_name":"board","player_id":"player-2","score":500000}',
    });
    await response.text();
    first.push(`${number(performance.now() - started)} ms`);
    await measure(server, prepared, { seconds: 2 });
    warm.push(describe(await measure(server, prepared)));
  }
  say(`| first submit after a start | ${first.join(' | ')} |`);
  say(`| submits of better scores | ${warm.join(' | ')} |`);
}

/** Measures how fast events are tracked and processed while more and more events are stored. */
async function measureEvents(server: BenchServer): Promise<void> {
  const counts = [0, 200_000, 2_000_000, 20_000_000].filter((count) => count <= MAX_EVENTS);
  header(
    'Events stored before',
    counts.map((count) => `${number(count)} events`),
  );
  const tracked: string[] = [];
  const worked: string[] = [];
  const [game] = await server.makeGames(1);
  let stored = 0;
  for (const count of counts) {
    await insertEvents(server, game!.game_id, stored, count);
    stored = count;
    const prepared = { shape: track([game!.key], 20), answer_bytes: 62 };
    await measure(server, prepared, { seconds: 2 });
    await drainInbox(server);
    const measured = await measure(server, prepared);
    const drained_s = await drainInbox(server);
    tracked.push(describe(measured, 20));
    worked.push(`${number((measured.requests * 20) / (SECONDS + drained_s))}/s`);
  }
  say(`| track, 20 events a request | ${tracked.join(' | ')} |`);
  say(`| tracked and ingested | ${worked.join(' | ')} |`);
}

/**
 * Adds events of this month until `count` events are stored. The rows are like those that the worker
 * stores, but the rollups are not updated.
 */
async function insertEvents(server: BenchServer, game_id: string, stored: number, count: number) {
  const block = 500_000;
  for (let first = stored; first < count; first += block) {
    await server.database.execute(sql`
      INSERT INTO events (id, received_at, occurred_at, client_timestamp, environment, game_id,
                          key_id, event_name, session_id, player_id, properties)
      SELECT -n, at, at, at, 'production', ${game_id}, ${game_id}, 'level_complete',
             's' || n % 50000, 'player-' || n % 20000,
             jsonb_build_object('level', n % 50, 'seconds', n % 300, 'stars', n % 3)
      FROM generate_series(${first + 1}::bigint, ${Math.min(first + block, count)}::bigint) AS n,
           LATERAL (SELECT date_trunc('month', now()) + n * interval '1 ms' AS at) AS time`);
  }
}

/**
 * Measures tracking while ten minutes of events (2,000 a second) wait in the inbox, and then while these
 * waiting events are processed.
 */
async function measureBacklog(server: BenchServer): Promise<void> {
  const requests = (600 * 2_000) / 20;
  header('Inbox', ['empty', `${number(requests * 20)} events waiting`]);
  const [game] = await server.makeGames(1);
  const prepared = { shape: track([game!.key], 20), answer_bytes: 62 };
  await measure(server, prepared, { seconds: 2 });
  await drainInbox(server);
  const empty = await measure(server, prepared);
  await drainInbox(server);
  const event = `{"event_name":"level_complete","session_id":"s1","player_id":"player-1","properties":{"level":1},"client_timestamp":null}`;
  await server.database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    SELECT ${game!.game_id}, 'production', ${game!.game_id}, now(), 20,
           ${`[${Array(20).fill(event).join(',')}]`}
    FROM generate_series(1, ${requests}::integer)`);
  const full = await measure(server, prepared);
  const drained_s = await drainInbox(server);
  say(`| track, 20 events a request | ${describe(empty, 20)} | ${describe(full, 20)} |`);
  const events = (requests + full.requests) * 20;
  say(`| ingested | | ${number(events / (SECONDS + drained_s))}/s |`);
}

/** Measures the lines with more and more connections, and the memory use after the last measurement. */
async function measureConnections(server: BenchServer): Promise<void> {
  const counts = [8, 32, 128, 1_024];
  header('Connections', [...counts.map(number), 'memory after']);
  const isMeasured = ({ name }: Line) => /100,000|save|20 events|unlock an achievement$/.test(name);
  for (const line of LINES.filter(isMeasured)) {
    const prepared = await line.prepare(server, await server.makeGames(1));
    await measure(server, prepared, { seconds: 2 });
    const cells: string[] = [];
    for (const connections of counts) {
      const measured = await measure(server, prepared, { connections });
      cells.push(describe(measured, line.units_per_request));
      await sleep(500);
    }
    say(`| ${line.name} | ${cells.join(' | ')} | ${readMemoryMb(server.server_pid)} MB |`);
    await line.waitForInbox?.(server);
  }
}

const PARTS = {
  games: measureGames,
  boards: measureBoards,
  events: measureEvents,
  backlog: measureBacklog,
  connections: measureConnections,
};

const wanted = process.argv.slice(2);
say(`${describeMachine()}; ${SECONDS} s each`);
for (const [name, measurePart] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // Each part gets its own server, so it starts without load or data of an earlier part.
  const server = await startBenchServer();
  await measurePart(server).finally(() => server.close());
}
