import type pg from 'pg';

/**
 * Puts the texts of all tables into the order of their code points, unless the database has this order anyway.
 * Otherwise the order of pages would follow the locale of the database, and an upgrade of the operating
 * system, which may change that locale, could make indexes wrong. New tables and columns need this again.
 * Each table is locked until its indexes are made anew.
 * @returns the number of tables that were changed.
 */
export async function orderTexts(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT format('ALTER TABLE %s %s', pg_class.oid::regclass, string_agg(
             format('ALTER COLUMN %I TYPE %s COLLATE "C"', attname, format_type(atttypid, atttypmod)),
             ', ' ORDER BY attnum)) AS statement
    FROM pg_class
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace::regnamespace::text ~ '^(public|group_[0-9]+)$'
      AND relkind IN ('r', 'p') AND NOT relispartition AND pg_has_role(relowner, 'USAGE')
      AND attcollation = '"default"'::regcollation
      -- The texts of other storage are contents, which nothing sorts. The change would reset their storage.
      AND attstorage = 'x'
      AND NOT EXISTS (SELECT FROM pg_database
                      WHERE datname = current_database() AND
                        (datlocprovider = 'b' OR datlocprovider = 'c' AND datcollate IN ('C', 'POSIX')))
    GROUP BY pg_class.oid`);
  for (const { statement } of rows) await client.query(statement);
  return rows.length;
}
