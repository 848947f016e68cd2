import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Reads all rows of a game, by table. */
export async function readRowsOf(
  database: GroupedDatabase,
  game_id: string,
): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await database.query<{ name: string; column: string }>(sql`
    SELECT DISTINCT relname AS name, attname AS "column"
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND NOT attisdropped
    WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace::regnamespace::text ~ '^(public|group_\\d+)$'
      AND (attname = 'game_id' OR (relname = 'games' AND attname = 'id'))`);
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const { name, column } of tables) {
    if (name === 'audit_log') continue;
    const found = await database.query<{ row: Record<string, unknown> }>({
      text: `SELECT to_jsonb(t) AS row FROM "${name}" AS t WHERE "${column}" = $1`,
      values: [game_id],
    });
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}
