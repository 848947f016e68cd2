import type { Environment } from '@overworld/contract/common';
import type { EventValidation } from '@overworld/contract/tiers';
import type { Database } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';
import type { AskEffects } from '../../../../platform/definitions/definition-kind.ts';
import { LATELY } from '../../../../platform/definitions/effects.ts';
import type { SchemaEffectInput } from './schema-effect.ts';

const MODULE = new URL('./schema-effect.ts', import.meta.url).href;

/** Asks how many of the events of late break a schema that is made or changed. */
export const askSchemaEffects: AskEffects = async (
  { database, game_id, since, tried_in },
  { key: event_name, after },
) => {
  // Without a schema, no event breaks it.
  if (after === null) return [];
  const input: SchemaEffectInput = {
    game_id,
    since,
    tried_in,
    event_name,
    schema: JSON.stringify(after.schema),
    validation: await readValidation(database, game_id),
  };
  const words = `the \`${event_name}\` events received ${LATELY} that break the schema`;
  const uncounted = { about: 'events' as const, environment: null, part: null, words };
  // As for the check of all schemas.
  return [{ module: MODULE, input, role: 'developer', uncounted }];
};

/** Reads how the environments of a game treat events that break their schemas. */
async function readValidation(
  database: Database,
  game_id: string,
): Promise<Record<Environment, EventValidation>> {
  const row = await database.queryOne<Record<Environment, EventValidation>>(sql`
    SELECT event_validation AS production,
      coalesce(development_event_validation, event_validation) AS development
    FROM games WHERE id = ${game_id}`);
  return row ?? { production: 'off', development: 'off' };
}
