import { openDatabase } from '../src/platform/database/database.ts';

/** Drops all schemas of an installation, as if its database was new. */
export async function dropEverything(url: string): Promise<void> {
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  const schemas = await database.query<{ name: string }>({
    text: `SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^(public|group_\\d+)$'`,
    values: [],
  });
  for (const { name } of schemas) {
    await database.execute({ text: `DROP SCHEMA ${name} CASCADE`, values: [] });
  }
  await database.execute({ text: 'CREATE SCHEMA public', values: [] });
  await database.close();
}
