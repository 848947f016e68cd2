import { setImmediate } from 'node:timers/promises';
import { MAX_TRIAL_FAILURES, MAX_TRIED_EVENTS } from '@overworld/contract/events/schemas';
import type { testEventSchema } from '@overworld/contract/events/schemas';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database } from '../../../platform/database/database.ts';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { listGameEvents } from '../event-store.ts';
import { CHECKED_AT_ONCE, compileEventSchema } from './schema-language.ts';
import type { SchemaProblem } from './schema-language.ts';

type Trial = SuccessOf<typeof testEventSchema>;

/**
 * Checks the newest events that have a given name against a schema, as if they were sent now.
 * @throws ApiError 400 for a schema that uses anything outside the schema language.
 */
export async function tryEventSchema(
  database: Database,
  game: Tenant,
  event_name: string,
  schema: unknown,
): Promise<Trial> {
  const check = compileEventSchema(schema);
  const page = { limit: MAX_TRIED_EVENTS, after: null };
  const events = await listGameEvents(database, game, { event_name }, page);
  const broken: Trial['failures'] = [];
  for (const [index, { id, player_id, received_at, properties }] of events.entries()) {
    if (index % CHECKED_AT_ONCE === 0) await setImmediate();
    const problems: SchemaProblem[] = [];
    check(parseJsonText(properties.text), 'properties', problems);
    const [first] = problems;
    if (first !== undefined) broken.push({ event_id: id, player_id, received_at, ...first });
  }
  return {
    tested: events.length,
    passed: events.length - broken.length,
    failures: broken.slice(0, MAX_TRIAL_FAILURES),
  };
}
