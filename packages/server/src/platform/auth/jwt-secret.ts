import { makeSecret } from '../config.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/**
 * The secret that signs dashboard tokens: the configured one, else one made at the first start and
 * kept in the database, so that all nodes share it.
 */
export async function getJwtSecret(database: Database, configured: string | null): Promise<string> {
  if (configured !== null) return configured;
  await database.execute(sql`
    INSERT INTO installation (name, value) VALUES ('jwt_secret', ${makeSecret()})
    ON CONFLICT (name) DO NOTHING`);
  const row = await database.queryOne<{ value: string }>(
    sql`SELECT value FROM installation WHERE name = 'jwt_secret'`,
  );
  return row!.value;
}
