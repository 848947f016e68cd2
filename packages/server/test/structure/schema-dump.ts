import type pg from 'pg';
import { listSchemaParts } from '../../src/platform/database/schema-parts.ts';

/** Returns the schema of a database as SQL, read from the catalog of the database. */
export async function dumpSchema(client: pg.ClientBase): Promise<string> {
  const parts = await listSchemaParts(client);
  return `-- What the migrations make; written by \`npm run schema\`.\n\n${parts
    .map(({ statement }) => statement)
    .join('\n')}`;
}
