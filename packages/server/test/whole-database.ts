import type { Database } from '../src/platform/database/database.ts';
import type { GroupedDatabase } from '../src/platform/database/game-groups.ts';
import { sql } from '../src/platform/database/sql.ts';

/** Lists every table that a group sees, so no new table is left out. A partitioned table counts as one. */
async function listTables(database: Database): Promise<{ name: string; has_game: boolean }[]> {
  return database.query(sql`
    SELECT relname AS name,
           EXISTS (SELECT FROM pg_attribute
                   WHERE attrelid = pg_class.oid AND attname = 'game_id') AS has_game
    FROM pg_class
    WHERE relnamespace::regnamespace::text = ANY (current_schemas(false)) AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname`);
}

/**
 * Finds all rows of the database that hold a text in any column, and returns them as JSON, by table.
 * @param needle The text. It has only characters that JSON does not escape.
 */
export async function searchDatabase(
  database: GroupedDatabase,
  needle: string,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const group of database.groups) {
    for (const { name } of await listTables(group)) {
      const rows = await group.query<{ row: string }>({
        text: `SELECT row::text FROM (SELECT to_jsonb(t) AS row FROM "${name}" AS t) AS rows
               WHERE position($1 IN row::text) > 0`,
        values: [needle],
      });
      if (rows.length > 0) found[name] = rows.map(({ row }) => row);
    }
  }
  return found;
}

/** The tables into which timers write. */
const WRITTEN_BY_TIMERS = [
  'hourly_save_counts',
  'game_storage',
  'player_call_counts',
  'player_name_builds',
  'player_name_changes',
  'player_names',
  'sdk_calls',
  'storage_changes',
];

/**
 * Reads all rows of a game as text, without the columns that timers write: the last use of keys, and the times at
 * which players were counted.
 */
export async function readGameRows(database: GroupedDatabase, game_id: string): Promise<string[]> {
  const group = database.ofGame(game_id);
  const all: string[] = [];
  for (const { name, has_game } of await listTables(group)) {
    if ((!has_game && name !== 'games') || WRITTEN_BY_TIMERS.includes(name)) continue;
    const rows = await group.query<{ row: string }>({
      text: `SELECT (to_jsonb(t) - 'last_used_at' - 'counted_at')::text AS row FROM "${name}" AS t WHERE ${has_game ? 'game_id' : 'id'} = $1`,
      values: [game_id],
    });
    all.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return all.toSorted();
}
