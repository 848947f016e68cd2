import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves/limits';
import { hashSecret } from '../packages/server/src/features/player-logins/identity.ts';
import { createJwtSecretKeeper } from '../packages/server/src/platform/auth/jwt-secrets.ts';
import type { Queryable } from '../packages/server/src/platform/database/database.ts';
import { systemClock } from '../packages/server/src/platform/clock.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { createPlayerTokens } from '../packages/server/src/platform/players/player-tokens.ts';
import type { BenchGame, BenchServer } from './bench-server.ts';

/**
 * Writes with SQL statements the rows that a server would write for requests. A million rows take only
 * seconds.
 */

type Seed = (server: BenchServer, games: readonly BenchGame[], size: number) => Promise<void>;

const idsOf = (games: readonly BenchGame[]) => games.map(({ game_id }) => game_id);

/** Runs `work` in a transaction for each group of games, one group after the other. */
async function inEachGroup(
  { database }: BenchServer,
  games: readonly BenchGame[],
  work: (tx: Queryable, games: BenchGame[]) => Promise<void>,
): Promise<void> {
  for (const [group, its_games] of Map.groupBy(games, ({ game_id }) => database.ofGame(game_id))) {
    await group.transaction((tx) => work(tx, its_games));
  }
}

const insertPlayers = (tx: Queryable, games: readonly BenchGame[], size: number) =>
  tx.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT game_id, 'production', 'player-' || n
    FROM unnest(${idsOf(games)}::uuid[]) AS game_id, generate_series(1, ${size}::integer) AS n
    ON CONFLICT DO NOTHING`);

/** Gives each game the board `board` with entries of player-1, player-2… and random scores. */
export const seedBoards: Seed = async (server, games, size) => {
  for (const { key } of games) {
    const response = await fetch(`${server.url}/v1/leaderboards`, {
      method: 'POST',
      headers: { 'x-game-api-key': key, 'content-type': 'application/json' },
      body: '{"board_name":"board","player_id":"player-1","score":0}',
    });
    if (!response.ok) throw new Error(await response.text());
  }
  await inEachGroup(server, games, async (tx, its_games) => {
    await insertPlayers(tx, its_games, size);
    await tx.execute(sql`
      INSERT INTO leaderboard_entries (game_id, environment, player_id, board_name, season,
                                       entry_number, score, seq, updated_at)
      SELECT game_id, 'production', 'player-' || n, 'board', season, next_entry_number + n,
             floor(random() * 1000000), next_seq + n, now()
      FROM leaderboard_seasons, generate_series(2, ${size}::integer) AS n
      WHERE game_id = ANY (${idsOf(its_games)}::uuid[]) AND board_name = 'board'`);
    await tx.execute(sql`
      UPDATE leaderboard_seasons SET
        total_entries = ${size},
        next_entry_number = next_entry_number + ${size + 1}::integer,
        next_seq = next_seq + ${size + 1}::integer,
        version = version + 1
      WHERE game_id = ANY (${idsOf(its_games)}::uuid[]) AND board_name = 'board'`);
  });
  await analyze(server, 'leaderboard_entries');
};

/**
 * Gives the seeded boards a ledger, which records every submitted score, and rules that allow every score.
 */
export async function addRules(server: BenchServer, games: readonly BenchGame[]) {
  await inEachGroup(server, games, async (tx, its_games) => {
    await tx.execute(sql`
      UPDATE leaderboards
      SET keeps_ledger = true, min_submit_interval_ms = 1, max_gain = 1e300,
        max_gain_per_hour = 1e300, on_violation = 'quarantine'
      WHERE game_id = ANY (${idsOf(its_games)}::uuid[])`);
    await tx.execute(sql`
      UPDATE leaderboard_seasons SET version = version + 1
      WHERE game_id = ANY (${idsOf(its_games)}::uuid[])`);
  });
}

/** Gives player-1, player-2… of each game a save of 1 KB. */
export const seedSaves: Seed = async (server, games, size) => {
  await inEachGroup(server, games, async (tx, its_games) => {
    await insertPlayers(tx, its_games, size);
    await tx.execute(sql`
      INSERT INTO saves (game_id, environment, player_id, revision, version, saved_at, hour_ends)
      SELECT game_id, 'production', 'player-' || n, 1, 1, now(), 0
      FROM unnest(${idsOf(its_games)}::uuid[]) AS game_id, generate_series(1, ${size}::integer) AS n`);
    await tx.execute(sql`
      INSERT INTO save_versions (game_id, environment, player_id, place, version, data, saved_at)
      SELECT game_id, 'production', 'player-' || n, 1 % ${KEPT_SAVE_VERSIONS}::integer, 1,
             '{"bag":"' || repeat('x', 1000) || '"}', now()
      FROM unnest(${idsOf(its_games)}::uuid[]) AS game_id, generate_series(1, ${size}::integer) AS n`);
  });
  await analyze(server, 'save_versions');
};

/** Gives each game the players player-1, player-2… with the devices device-1, device-2… */
export async function seedDevices(
  server: BenchServer,
  games: readonly BenchGame[],
  { size, secret }: { size: number; secret: string },
) {
  await inEachGroup(server, games, async (tx, its_games) => {
    await insertPlayers(tx, its_games, size);
    await tx.execute(sql`
      INSERT INTO player_identities (game_id, environment, provider, subject, player_id, secret_hash)
      SELECT game_id, 'production', 'device', 'device-' || n, 'player-' || n, ${hashSecret(secret)}
      FROM unnest(${idsOf(its_games)}::uuid[]) AS game_id, generate_series(1, ${size}::integer) AS n`);
  });
}

/** Gives each game ten achievements, a1 to a10. */
export async function seedAchievements(server: BenchServer, games: readonly BenchGame[]) {
  await server.database.execute(sql`
    INSERT INTO achievements (game_id, key, name, description, points, position)
    SELECT game_id, 'a' || n, 'Achievement ' || n, 'What to do for it', 10, n
    FROM unnest(${idsOf(games)}::uuid[]) AS game_id, generate_series(1, 10) AS n`);
}

/** Gives each game the players player-1, player-2… */
export const seedPlayers: Seed = (server, games, size) =>
  inEachGroup(
    server,
    games,
    async (tx, its_games) => void (await insertPlayers(tx, its_games, size)),
  );

/** Gives each game messages to everyone, each with 50 coins: at most nine. */
export const seedMessages: Seed = (server, games, size) =>
  inEachGroup(server, games, async (tx, its_games) => {
    await tx.execute(sql`
      INSERT INTO messages (game_id, environment, message_id, audience, title, text, translations, data,
        rewards, reason, starts_at, sent_at)
      SELECT game_id, 'production', ('00000000-0000-4000-8000-00000000000' || n)::uuid,
             '{"type":"everyone","joiners":"included"}', 'Message ' || n, repeat('x', 100), '{}', '{}',
             '[{"type":"item","key":"coins","quantity":50}]', '', now(), now()
      FROM unnest(${idsOf(its_games)}::uuid[]) AS game_id, generate_series(1, ${size}::integer) AS n`);
  });

/** Gives each game the statistics u1 to u10, and for each of them an achievement that unlocks at 1. */
export async function seedUnlockRules(server: BenchServer, games: readonly BenchGame[]) {
  await seedAchievements(server, games);
  await server.database.execute(sql`
    INSERT INTO stats (game_id, key, name, aggregation)
    SELECT game_id, 'u' || n, 'Statistic ' || n, 'sum'
    FROM unnest(${idsOf(games)}::uuid[]) AS game_id, generate_series(1, 10) AS n`);
  await server.database.execute(sql`
    UPDATE achievements
    SET unlock_when = jsonb_build_array(jsonb_build_object('stat', 'u' || position, 'at_least', 1))
    WHERE game_id = ANY (${idsOf(games)}::uuid[])`);
}

/** Gives each game twenty statistics, s1 to s20, and each of its players a value of each. */
export async function seedStats(server: BenchServer, games: readonly BenchGame[], players: number) {
  await server.database.execute(sql`
    INSERT INTO stats (game_id, key, name, aggregation)
    SELECT game_id, 's' || n, 'Statistic ' || n, 'sum'
    FROM unnest(${idsOf(games)}::uuid[]) AS game_id, generate_series(1, 20) AS n`);
  await inEachGroup(server, games, async (tx, its_games) => {
    await insertPlayers(tx, its_games, players);
    await tx.execute(sql`
      INSERT INTO player_stats
        (game_id, environment, player_id, key, aggregation, value, changed_at, base, base_at)
      SELECT game_id, 'production', 'player-' || player, 's' || n, 'sum', 1, now(), 1, now()
      FROM unnest(${idsOf(its_games)}::uuid[]) AS game_id,
           generate_series(1, ${players}::integer) AS player, generate_series(1, 20) AS n`);
  });
}

/** Gives each game a configuration of ten values. */
export async function seedConfig(server: BenchServer, games: readonly BenchGame[]) {
  const parameters = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`value_${index}`, { value: { speed: index } }]),
  );
  await server.database.execute(sql`
    INSERT INTO config_versions (game_id, environment, version, parameters, parameter_count)
    SELECT game_id, 'production', 1, ${JSON.stringify(parameters)}, 10
    FROM unnest(${idsOf(games)}::uuid[]) AS game_id`);
}

/**
 * Gives each game `count` running experiments, and stores that all players take part in each of them. The
 * first experiment changes the first parameter of the config, the second experiment the second, and so on.
 * Call this before the first request for a config.
 */
export async function seedExperiments(
  server: BenchServer,
  games: readonly BenchGame[],
  count: number,
  players: number,
) {
  await inEachGroup(server, games, async (tx, its_games) => {
    await insertPlayers(tx, its_games, players);
    for (let index = 0; index < count; index++) {
      const variants = [
        { name: 'Control', weight: 1 },
        { name: 'Faster', weight: 1, values: { [`value_${index}`]: { speed: 100 } } },
      ];
      const metrics = [{ kind: 'retention', days: 1 }];
      const definition = JSON.stringify({ condition: null, variants, metrics });
      await tx.execute(sql`
        WITH running AS (
          INSERT INTO experiments
            (game_id, environment, state, name, share, definition, started_at)
          SELECT game_id, 'production', 'running', ${`Experiment ${index}`}, 100, ${definition}, now()
          FROM unnest(${idsOf(its_games)}::uuid[]) AS game_id
          RETURNING game_id, experiment_id
        )
        INSERT INTO experiment_exposures
          (game_id, environment, player_id, experiment_id, variant, exposed_at)
        SELECT game_id, 'production', 'player-' || n, experiment_id, n % 2, now()
        FROM running, generate_series(1, ${players}::integer) AS n`);
    }
  });
}

async function analyze({ database }: BenchServer, table: 'leaderboard_entries' | 'save_versions') {
  for (const group of database.groups) {
    const client = await group.connect();
    await client.query(`ANALYZE ${table}`).finally(() => client.release());
  }
}

/** Makes tokens for player-1, player-2… of a game, like the tokens that logins give. */
export async function makePlayerTokens(
  { database }: BenchServer,
  game_id: string,
  count: number,
): Promise<string[]> {
  const configured = { jwt_secret: null, jwt_secret_previous: null };
  const tokens = createPlayerTokens(await createJwtSecretKeeper(database, configured), systemClock);
  return Array.from({ length: count }, (_, index) => {
    const player_id = `player-${index + 1}`;
    const player = { game_id, environment: 'production', player_id } as const;
    return tokens.sign(player, game_id).player_token;
  });
}
