import { joinIngest } from '../packages/server/src/platform/ingest-lock.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import type { Sql } from '../packages/server/src/platform/database/sql.ts';
import type { Tenant } from '../packages/server/src/platform/players/player-key.ts';
import { createSealedEvents } from '../packages/server/src/features/reports/sealed/reader.ts';
import { runSeals } from '../packages/server/src/features/reports/sealed/seal-run.ts';
import { exploreDatabase } from '../packages/server/src/features/reports/sealed/test/sealed-game.ts';
import { startBenchServer } from './bench-server.ts';
import { readMemoryMb } from './cpu.ts';
import { fillHistory } from './event-history.ts';
import { describeMachine, say } from './measure.ts';

/**
 * `npm run bench:seal`: measures what it costs to seal a month of events, the bytes of the sealed form, and the
 * time to read it. The second game has sessions with UUIDs, and irregular times.
 */

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 20_000);

const server = await startBenchServer('warn');
const { database } = server;
try {
  const [regular, irregular] = await server.makeGames(2);
  const games = [
    { name: 'events of bench/event-history.ts', game_id: regular!.game_id },
    { name: 'UUID sessions, irregular times', game_id: irregular!.game_id },
  ];
  await fillHistory(database, {
    game_id: regular!.game_id,
    event_count: EVENTS,
    player_count: PLAYERS,
  });
  await database.execute(sql`SET statement_timeout = 0`);
  for (let day = 0; day < 31; day++) {
    await database.execute(sql`
      INSERT INTO events (id, received_at, occurred_at, client_timestamp, environment, game_id, key_id,
                          event_name, session_id, player_id, properties)
      SELECT id * 128, at, at - random() * interval '5 seconds', at, environment,
             ${irregular!.game_id}, key_id, event_name, md5(session_id)::uuid::text, player_id, properties
      FROM (
        SELECT *, date_trunc('day', received_at) + random() * interval '86399 seconds' AS at
        FROM events WHERE game_id = ${regular!.game_id}
          AND received_at >= date_trunc('day', now()) - ${31 - day}::integer * interval '1 day'
          AND received_at < date_trunc('day', now()) - ${30 - day}::integer * interval '1 day'
      ) AS event`);
  }
  say(`${EVENTS} events; ${describeMachine()}`);

  const cpu_us = () => {
    const { user, system } = process.cpuUsage();
    return { own: user + system, all: user + system + server.readPostgresCpu() };
  };
  const before = cpu_us();
  const started = performance.now();
  const done = await runSeals(database, { joinIngest, retention_days: 0, rest_times: 0 });
  const after = cpu_us();
  const count = await sum(sql`SELECT sum(event_count)::bigint AS sum FROM sealed_days`);
  const each = (value: number) => (value / count).toFixed(2);
  say(
    `sealed ${done.days} days in ${((performance.now() - started) / 1_000).toFixed(1)} s: ${each(after.all - before.all)} us of CPU an event, ${each(after.own - before.own)} us of it here; ${readMemoryMb(process.pid)} MB`,
  );

  for (const { name, game_id } of games) {
    const of_game = sql`game_id = ${game_id}`;
    const events = await sum(
      sql`SELECT sum(event_count)::bigint AS sum FROM sealed_days WHERE ${of_game}`,
    );
    const columns = await database.query<{ column_name: string; bytes: number }>(sql`
      SELECT column_name, sum(octet_length(data))::bigint AS bytes
      FROM sealed_events WHERE ${of_game} GROUP BY column_name ORDER BY 2 DESC`);
    const sessions = await sum(
      sql`SELECT sum(octet_length(sessions))::bigint AS sum FROM sealed_days WHERE ${of_game}`,
    );
    const all = columns.reduce((total, { bytes }) => total + bytes, sessions);
    say(`${name}: ${(all / events).toFixed(2)} bytes an event`);
    for (const { column_name, bytes } of columns.slice(0, 12)) {
      say(`  ${column_name === '' ? 'heads' : column_name}: ${(bytes / events).toFixed(2)}`);
    }
    say(`  sessions of days: ${(sessions / events).toFixed(2)}`);
  }
  const stored = await sum(sql`
    SELECT (pg_total_relation_size('sealed_events') + pg_total_relation_size('sealed_days'))::bigint AS sum`);
  const dictionary = await sum(sql`SELECT pg_total_relation_size('sealed_players')::bigint AS sum`);
  say(`on disk: ${each(stored)} bytes an event, players ${each(dictionary)}`);
  for (const { name, game_id } of games) {
    await readMonth(name, { game_id, environment: 'production' });
  }
} finally {
  await server.close();
}

async function sum(statement: Sql): Promise<number> {
  return (await database.queryOne<{ sum: number }>(statement))!.sum;
}

/** Measures the reading of all parts of all names. */
async function readMonth(name: string, tenant: Tenant): Promise<void> {
  const explored = exploreDatabase(database.ofGame(tenant.game_id));
  const { signal } = new AbortController();
  const sealed = createSealedEvents();
  for (const round of ['first', 'again']) {
    const started = performance.now();
    await sealed.readPlayers(explored, tenant, signal);
    const players_ms = performance.now() - started;
    const { days, parts } = await sealed.list(
      explored,
      tenant,
      { first_day: '2000-01-01', last_day: '2100-01-01', names: null },
      signal,
    );
    const listed_ms = performance.now() - started;
    for (const [what, wanted] of [
      ['players and times', { times: true, properties: [] }],
      ['and level', { times: true, properties: ['level'] }],
      [
        'all columns',
        {
          times: true,
          ids: true,
          sessions: true,
          keys: true,
          properties: ['level', 'seconds', 'platform', 'build', 'product', 'price', 'currency'],
        },
      ],
    ] as const) {
      const began = performance.now();
      const cpu = process.cpuUsage();
      let events = 0;
      for (const day of days) {
        const of_day = parts.filter((part) => part.day === day);
        const refused = await sealed.read(
          explored,
          tenant,
          of_day,
          wanted,
          ({ count: read }) => (events += read),
          signal,
        );
        if (refused.length > 0) throw new Error('A part was refused');
      }
      const { user, system } = process.cpuUsage(cpu);
      say(
        `${name}, ${round}, ${what}: ${events} events in ${Math.round(performance.now() - began)} ms, ${Math.round((user + system) / 1_000)} ms of CPU here`,
      );
    }
    say(
      `  players in ${Math.round(players_ms)} ms, list of ${parts.length} parts in ${Math.round(listed_ms - players_ms)} ms`,
    );
  }
}
