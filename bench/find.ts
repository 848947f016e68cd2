/**
 * `npm run bench:find`: measures searches among the players of one game by parts of names and ids, over
 * the API. BENCH_PLAYERS changes the number of players. The database also holds a second game of the same
 * size.
 */
import { startBenchServer } from './bench-server.ts';
import type { BenchServer } from './bench-server.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';

const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 1_000_000);
const RUNS = 15;

const say = (text: string) => process.stdout.write(`${text}\n`);
const digits = (count: number) => count.toLocaleString('en-US');

/** The texts to search for, and the names of these searches. */
const SEARCHES: [text: string, words: string][] = [
  ['wolf', 'a word of one name in eight'],
  ['xyzzy', 'a rare word'],
  ['nobody here', 'nothing'],
  ['wolf77', 'part of a name'],
  ['f7', 'the beginning of an id'],
  ['q', 'the beginning of nothing'],
  ['4f3a', 'four characters of an id'],
  ['9f2', 'three characters of an id'],
];

async function seed({ database }: BenchServer, game_id: string): Promise<void> {
  await database.execute(sql`
    UPDATE games SET player_name_property = 'nick' WHERE id = ${game_id}`);
  await database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties, first_seen_at, last_seen_at)
    SELECT ${game_id}, 'production', gen_random_uuid(),
           jsonb_build_object('level', number % 100, 'country', 'DE', 'nick',
             CASE WHEN number % 50000 = 0 THEN 'Xyzzy' ELSE
               (ARRAY['Dragon', 'Shadow', 'Silent', 'Mighty'])[1 + number % 4] ||
               (ARRAY['Wolf', 'Knight', 'Mage', 'Fox', 'Bear', 'Archer', 'Storm', 'Blade'])
                 [1 + number / 4 % 8] || (random() * 100000)::integer END),
           seen - interval '10 days', seen
    FROM (SELECT number, now() - random() * interval '90 days' AS seen
          FROM generate_series(1, ${PLAYERS}::integer) AS number) AS made`);
}

/** Waits until the worker has indexed the names of all players. */
async function waitForIndex({ database }: BenchServer): Promise<void> {
  for (;;) {
    const row = await database.queryOne<{ waits: boolean }>(
      sql`SELECT EXISTS (SELECT FROM player_name_changes) AS waits`,
    );
    if (!row!.waits) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function logIn({ url, database }: BenchServer): Promise<string> {
  const post = async (path: string) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'bench@studio.example', password: 'a long enough password' }),
    });
    return (await answer.json()) as { token: string };
  };
  await post('/v1/auth/register');
  await database.execute(sql`UPDATE accounts SET status = 'active', is_administrator = true`);
  return (await post('/v1/auth/login')).token;
}

const server = await startBenchServer();
try {
  const token = await logIn(server);
  const games = await server.makeGames(2);
  const began = performance.now();
  for (const { game_id } of games) await seed(server, game_id);
  await waitForIndex(server);
  await server.database.execute(sql`VACUUM ANALYZE players`);
  await server.database.execute(sql`VACUUM ANALYZE player_names`);
  const size = await server.database.queryOne<{ names: number; pieces: number }>(sql`
    SELECT pg_table_size('player_names') AS names, pg_relation_size('player_names_pieces') AS pieces`);
  say(
    `${digits(PLAYERS)} players in each of two games, seeded and indexed in ${Math.round((performance.now() - began) / 1000)} s; names ${digits(Math.round(size!.names / 1e6))} MB, index of pieces ${digits(Math.round(size!.pieces / 1e6))} MB.\n`,
  );
  say('| search | finds | players | median ms | slowest ms |');
  say('|---|---|---:|---:|---:|');
  for (const [search, words] of SEARCHES) {
    const times: number[] = [];
    let found = 0;
    for (let run = 0; run < RUNS; run++) {
      const query = new URLSearchParams({ search });
      const path = `/v1/games/${games[0]!.game_id}/players?${query}`;
      const sent = performance.now();
      const answer = await fetch(server.url + path, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = (await answer.json()) as { players: unknown[]; next_cursor: string | null };
      times.push(performance.now() - sent);
      found = body.players.length;
    }
    times.sort((a, b) => a - b);
    const [median, slowest] = [times[Math.floor(RUNS / 2)]!, times.at(-1)!];
    say(
      `| ${search} | ${words} | ${found === 50 ? '50 or more' : found} | ${median.toFixed(1)} | ${slowest.toFixed(1)} |`,
    );
  }
} finally {
  await server.close();
}
