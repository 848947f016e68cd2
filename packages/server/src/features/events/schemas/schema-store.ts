import type { Queryable } from '../../../platform/database/database.ts';
import { selectCount } from '../../../platform/database/select-count.ts';
import { sql } from '../../../platform/database/sql.ts';
import { JsonText } from '../../../platform/http/implement.ts';

/** The schema of an event. `schema` is the JSON text as it was sent. */
export interface StoredSchema {
  event_name: string;
  schema: JsonText;
  updated_at: string;
}

type SchemaRow = Omit<StoredSchema, 'schema'> & { schema: string };

const toStored = (row: SchemaRow): StoredSchema => ({ ...row, schema: new JsonText(row.schema) });

/** Lists a page of the schemas of a game, ordered by event name. */
export async function listSchemas(
  database: Queryable,
  game_id: string,
  page: { after: string | undefined; limit: number },
): Promise<StoredSchema[]> {
  const rows = await database.query<SchemaRow>(sql`
    SELECT event_name, schema, updated_at
    FROM event_schemas
    WHERE game_id = ${game_id} AND (${page.after}::text IS NULL OR event_name > ${page.after})
    ORDER BY event_name
    LIMIT ${page.limit}`);
  return rows.map(toStored);
}

/** Lists all schemas of a game, in no particular order. */
export async function listSchemaTexts(
  database: Queryable,
  game_id: string,
): Promise<{ event_name: string; schema: string }[]> {
  return database.query(
    sql`SELECT event_name, schema FROM event_schemas WHERE game_id = ${game_id}`,
  );
}

/** Finds the schema of an event, as JSON; null if it has none. */
export async function findSchemaText(
  database: Queryable,
  game_id: string,
  event_name: string,
): Promise<string | null> {
  const row = await database.queryOne<{ schema: string }>(sql`
    SELECT schema FROM event_schemas WHERE game_id = ${game_id} AND event_name = ${event_name}`);
  return row?.schema ?? null;
}

export const countSchemas = (database: Queryable, game_id: string): Promise<number> =>
  selectCount(database, sql`event_schemas WHERE game_id = ${game_id}`);

export async function upsertSchema(
  tx: Queryable,
  game_id: string,
  event_name: string,
  schema: string,
): Promise<StoredSchema> {
  const row = await tx.queryOne<SchemaRow>(sql`
    INSERT INTO event_schemas (game_id, event_name, schema, updated_at)
    VALUES (${game_id}, ${event_name}, ${schema}, now())
    ON CONFLICT (game_id, event_name) DO UPDATE
    SET schema = EXCLUDED.schema, updated_at = EXCLUDED.updated_at
    RETURNING event_name, schema, updated_at`);
  return toStored(row!);
}

/** @returns true if the event had a schema. */
export async function deleteSchema(
  tx: Queryable,
  game_id: string,
  event_name: string,
): Promise<boolean> {
  const count = await tx.execute(sql`
    DELETE FROM event_schemas WHERE game_id = ${game_id} AND event_name = ${event_name}`);
  return count > 0;
}
