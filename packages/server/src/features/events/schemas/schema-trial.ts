import { MAX_TRIAL_FAILURES, MAX_TRIED_EVENTS } from '@overworld/contract/events/schemas';
import type { testEventSchema } from '@overworld/contract/events/schemas';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database } from '../../../platform/database/database.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { listGameEvents } from '../event-store.ts';
import { compileEventSchema } from './schema-language.ts';
import type { SchemaProblem } from './schema-language.ts';

/**
 * Checks the newest events that have a given name against a schema, as if they were sent now.
 * @throws ApiError 400 for a schema that uses anything outside the schema language.
 */
export async function tryEventSchema(
  database: Database,
  game: Tenant,
  event_name: string,
  schema: unknown,
): Promise<SuccessOf<typeof testEventSchema>> {
  const check = compileEventSchema(schema);
  const page = { limit: MAX_TRIED_EVENTS, after: null };
  const events = await listGameEvents(database, game, { event_name }, page);
  const broken = events.flatMap(({ id, player_id, received_at, properties }) => {
    const problems: SchemaProblem[] = [];
    check(JSON.parse(properties.text), 'properties', problems);
    return problems
      .slice(0, 1)
      .map((first) => ({ event_id: id, player_id, received_at, ...first }));
  });
  return {
    tested: events.length,
    passed: events.length - broken.length,
    failures: broken.slice(0, MAX_TRIAL_FAILURES),
  };
}
