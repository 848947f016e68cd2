import { MAX_SIZED_GAMES } from '@overworld/contract/administration/sizes';
import type { getInstallationSizes } from '@overworld/contract/administration/sizes';
import type { SuccessOf } from '@overworld/contract/operation';
import { classifyFailure } from '../../../platform/database/failure.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';

type Sizes = SuccessOf<typeof getInstallationSizes>;
type GameSize = Sizes['games'][number];

const COUNTS = [
  'event_count',
  'player_count',
  'save_bytes',
  'leaderboard_entry_count',
  'ledger_row_count',
] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

/** The tables that grow with each count. */
const TABLES_OF: Record<keyof Counts, readonly string[]> = {
  event_count: ['events', 'sessions'],
  player_count: ['players', 'player_names', 'player_activity', 'player_identities'],
  save_bytes: ['saves', 'save_versions', 'older_save_versions'],
  leaderboard_entry_count: ['leaderboard_entries'],
  ledger_row_count: ['leaderboard_submits'],
};

/**
 * The counts of all games of a group, from counters alone. Events count by month, because that is how long
 * they are kept.
 */
const countsOfGames = sql`
  (SELECT game_id,
          sum(amount) FILTER (WHERE kind = 'events') AS event_count,
          sum(amount) FILTER (WHERE kind = 'players') AS player_count,
          sum(amount) FILTER (WHERE kind = 'save_bytes') AS save_bytes,
          sum(amount) FILTER (WHERE kind = 'leaderboard_entries') AS leaderboard_entry_count,
          sum(amount) FILTER (WHERE kind = 'ledger_rows') AS ledger_row_count
   FROM (
     SELECT game_id, resource::text AS kind, used AS amount FROM game_storage
     UNION ALL
     SELECT game_id, resource::text, change FROM storage_changes
     UNION ALL
     SELECT game_id, 'events', used
     FROM event_usage
     JOIN games ON games.id = game_id
     WHERE month >= COALESCE(date_trunc('month', events_kept_since AT TIME ZONE 'UTC'), '-infinity')
   ) AS counted
   GROUP BY game_id) AS of_games`;

/**
 * Estimates the sizes of the largest games, the largest first: a game with a tenth of all events takes a tenth
 * of the table of events.
 * @param tables The sizes of the tables.
 * @param may_lack_groups True if nodes of the cluster are down. Their games are then left out.
 */
export async function measureGames(
  database: GroupedDatabase,
  tables: Sizes['tables'],
  may_lack_groups: boolean,
): Promise<GameSize[]> {
  const askGroups = async <T>(ask: (group: Database) => Promise<T[]>): Promise<T[]> => {
    const found: T[] = [];
    for (const group of database.groups) {
      const rows = await ask(group).catch((error: unknown) => {
        if (may_lack_groups && classifyFailure(error) === 'unavailable') return [];
        throw error;
      });
      found.push(...rows);
    }
    return found;
  };
  const totals = await askGroups(sumCounts);
  const bytesOf = (names: readonly string[]) =>
    tables.reduce((sum, { name, bytes }) => sum + (names.includes(name) ? bytes : 0), 0);
  const bytesOfOne = Object.fromEntries(
    COUNTS.map((count) => {
      const total = totals.reduce((sum, of_group) => sum + of_group[count], 0);
      return [count, total > 0 ? bytesOf(TABLES_OF[count]) / total : 0];
    }),
  ) as Counts;

  const largest = (await askGroups((group) => listLargest(group, bytesOfOne)))
    .toSorted((a, b) => b.estimated_bytes - a.estimated_bytes || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_SIZED_GAMES);
  const names = await database.query<{ id: string; name: string }>(sql`
    SELECT id, name FROM games WHERE id = ANY(${largest.map(({ id }) => id)}::uuid[])`);
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  // A game that was deleted meanwhile has no name any more.
  return largest.flatMap((game) => {
    const name = nameOf.get(game.id);
    return name === undefined ? [] : [{ ...game, name }];
  });
}

const sumCounts = (group: Database) =>
  group.query<Counts>(sql`
    SELECT COALESCE(sum(event_count), 0)::bigint AS event_count,
           COALESCE(sum(player_count), 0)::bigint AS player_count,
           COALESCE(sum(save_bytes), 0)::bigint AS save_bytes,
           COALESCE(sum(leaderboard_entry_count), 0)::bigint AS leaderboard_entry_count,
           COALESCE(sum(ledger_row_count), 0)::bigint AS ledger_row_count
    FROM ${countsOfGames}`);

const listLargest = (group: Database, bytes_of_one: Counts) =>
  group.query<Omit<GameSize, 'name'>>(sql`
    SELECT id, event_count, player_count, save_bytes, leaderboard_entry_count, ledger_row_count,
           round(event_count * ${bytes_of_one.event_count}::float8
                 + player_count * ${bytes_of_one.player_count}::float8
                 + save_bytes * ${bytes_of_one.save_bytes}::float8
                 + leaderboard_entry_count * ${bytes_of_one.leaderboard_entry_count}::float8
                 + ledger_row_count * ${bytes_of_one.ledger_row_count}::float8)::bigint
             AS estimated_bytes
    FROM (SELECT game_id AS id,
                 COALESCE(event_count, 0)::bigint AS event_count,
                 COALESCE(player_count, 0)::bigint AS player_count,
                 COALESCE(save_bytes, 0)::bigint AS save_bytes,
                 COALESCE(leaderboard_entry_count, 0)::bigint AS leaderboard_entry_count,
                 COALESCE(ledger_row_count, 0)::bigint AS ledger_row_count
          FROM ${countsOfGames}) AS games_of_group
    ORDER BY estimated_bytes DESC, id
    LIMIT ${MAX_SIZED_GAMES}`);
