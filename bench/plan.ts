import { cpus } from 'node:os';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { readOwnCpu } from './cpu.ts';
import { startBenchServer } from './bench-server.ts';
import { fillHistory, HISTORY_DAYS } from './event-history.ts';
import { makeOwner } from './owner.ts';

/**
 * `npm run bench:plan`: measures the time in which a plan of files counts what it does, on a month of events of
 * one Studio game. BENCH_EVENTS, BENCH_PLAYERS and BENCH_SUBMITS change the numbers of rows.
 */

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 200_000);
const SUBMITS = Number(process.env.BENCH_SUBMITS ?? 41_000);
const RUNS = Number(process.env.BENCH_RUNS ?? 3);

const say = (text: string) => process.stdout.write(`${text}\n`);
const digits = (count: number) => count.toLocaleString('en');

interface Document {
  kind: string;
  key: string;
  definition: Record<string, unknown>;
}

const schema = (key: string, properties: object): Document => ({
  kind: 'event_schema',
  key,
  definition: { schema: { type: 'object', properties } },
});

const byLevel = { property: 'level', operator: 'gte', value: 1 };
const rules = [
  { properties: [{ property: 'country', operator: 'eq', value: 'de' }], value: 2 },
  { properties: [byLevel], percentage: 30, value: 3 },
];
const parameters = Object.fromEntries(
  Array.from({ length: 3 }, (_, index) => [`parameter_${index}`, { value: 1, rules }]),
);

/** The files of a game, and of those the ones that one plan changes. */
const PLANS: Record<string, Document[]> = {
  '3 parameters with 2 rules': [
    { kind: 'remote_config', key: 'production', definition: { parameters } },
  ],
  'a segment by a property': [
    {
      kind: 'segment',
      key: 'Germans',
      definition: {
        query: `filter=${encodeURIComponent(JSON.stringify([{ property: 'country', operator: 'eq', value: 'de' }]))}`,
      },
    },
  ],
  'a segment by events': [
    {
      kind: 'segment',
      key: 'Payers',
      definition: {
        query: `events=${encodeURIComponent(JSON.stringify([{ event_name: 'purchase' }]))}`,
      },
    },
  ],
  'the schema of a rare event (1%)': [schema('purchase', { price: { maximum: 10 } })],
  'the schema of the most frequent event (32%)': [
    schema('level_start', { level: { maximum: 50 } }),
  ],
  'the rules of a board': [
    {
      kind: 'leaderboard',
      key: 'High scores',
      definition: { keeps_ledger: true, max_gain: 50, max_gain_per_hour: 100 },
    },
  ],
};

const server = await startBenchServer();
try {
  const { game_id } = (await server.makeGames(1))[0]!;
  const token = await makeOwner(server, game_id);
  const call = async (path: string, definitions: readonly Document[], more: object = {}) => {
    const answer = await fetch(`${server.url}/v1/games/${game_id}/definitions/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ definitions, ...more }),
    });
    return answer.json() as Promise<{
      plan: string;
      effects?: { words: string; state: string }[];
    }>;
  };
  /** Reads the CPU time in microseconds that has been used so far. */
  const readCpu = () => {
    const postgres = server.readPostgresCpu();
    return { postgres, server: readOwnCpu(server.server_pid) };
  };
  const began = performance.now();
  await fillHistory(server.database, { game_id, event_count: EVENTS, player_count: PLAYERS });
  const board = {
    kind: 'leaderboard',
    key: 'High scores',
    definition: { keeps_ledger: true },
  };
  const { plan } = await call('plan?effects=none', [board]);
  await call('apply', [board], { plan });
  await server.database.ofGame(game_id).execute(sql`
    INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place,
      season, score, score_before, outcome, submitted_at, key_id, is_verified, network)
    SELECT ${game_id}::uuid, 'production', 'player-' || number % ${PLAYERS}::integer, 'High scores',
      extract(epoch FROM at) * 1000000, 0, 1, random() * 1000, NULL, 'new', at,
      ${game_id}::uuid, false, ''
    FROM generate_series(1, ${SUBMITS}::integer) AS number
    CROSS JOIN LATERAL (SELECT now() - number * interval '6 days' / ${SUBMITS}::integer AS at) AS sent`);
  say(
    `${digits(EVENTS)} events of ${digits(PLAYERS)} players over ${HISTORY_DAYS} days, and ${digits(SUBMITS)} submits; ${cpus().length} cores; filled in ${Math.round((performance.now() - began) / 1_000)} s\n`,
  );
  say('| plan | fastest ms | CPU ms of the server | of PostgreSQL | not counted |');
  say('|---|---:|---:|---:|---:|');
  const examples: string[] = [];
  for (const [name, documents] of [
    ...Object.entries(PLANS),
    ['all of them', Object.values(PLANS).flat()] as const,
  ]) {
    const times: number[] = [];
    let uncounted = 0;
    const cpu_before = readCpu();
    for (let run = 0; run < RUNS; run++) {
      const sent = performance.now();
      const { effects = [] } = await call('plan', documents);
      times.push(performance.now() - sent);
      uncounted += effects.filter(({ state }) => state !== 'counted').length;
      if (run === 0) {
        examples.push(...effects.slice(0, 2).map(({ words }) => `- ${name}: ${words}`));
      }
    }
    const cpu = readCpu();
    const inMs = (part: 'server' | 'postgres') =>
      digits(Math.round((cpu[part] - cpu_before[part]) / 1_000 / RUNS));
    say(
      `| ${name} | ${digits(Math.round(Math.min(...times)))} | ${inMs('server')} | ${inMs('postgres')} | ${uncounted} |`,
    );
  }
  say(`\n${examples.join('\n')}`);
} finally {
  await server.close();
}
