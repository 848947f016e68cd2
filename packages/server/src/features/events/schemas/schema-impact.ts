import { setImmediate } from 'node:timers/promises';
import { IMPACT_DAYS, MAX_CHECKED_EVENTS } from '@overworld/contract/events/schema-impact';
import type { getEventSchemaImpact } from '@overworld/contract/events/schema-impact';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { CHECKED_AT_ONCE, compileEventSchema } from './schema-language.ts';
import type { Check, SchemaProblem } from './schema-language.ts';
import { listSchemaTexts } from './schema-store.ts';

/** The number of events that are read at a time. */
const PART = 500;

interface NameImpact {
  checked: number;
  broken: number;
  is_complete: boolean;
}

/** Counts the recent events of an environment that break the schemas of their game. */
export async function measureImpact(
  database: Database,
  tenant: Tenant,
): Promise<SuccessOf<typeof getEventSchemaImpact>> {
  const schemas = await listSchemaTexts(database, tenant.game_id);
  const most = Math.floor(MAX_CHECKED_EVENTS / Math.max(1, schemas.length));
  const results: (NameImpact & { event_name: string })[] = [];
  for (const { event_name, schema } of schemas) {
    const check = compileEventSchema(parseJsonText(schema));
    results.push({ event_name, ...(await checkEvents(database, tenant, event_name, check, most)) });
  }
  const sum = (valueOf: (result: NameImpact) => number) =>
    results.reduce((total, result) => total + valueOf(result), 0);
  return {
    checked: sum(({ checked }) => checked),
    broken: sum(({ broken }) => broken),
    is_complete: results.every(({ is_complete }) => is_complete),
    events: results
      .filter(({ broken }) => broken > 0)
      .toSorted((a, b) => b.broken - a.broken)
      .map(({ event_name, checked, broken }) => ({ event_name, checked, broken })),
  };
}

async function checkEvents(
  database: Database,
  tenant: Tenant,
  event_name: string,
  check: Check,
  most: number,
): Promise<NameImpact> {
  let checked = 0;
  let broken = 0;
  let before: { received: string; id: string } = { received: 'infinity', id: '0' };
  while (true) {
    // Loads one event more than may be checked, to learn whether there are more.
    const limit = Math.min(PART, most - checked + 1);
    const rows = await database.query<{ received: string; id: string; properties: string }>(sql`
      SELECT received_at::text AS received, id::text AS id, properties::text
      FROM events
      WHERE ${isOfTenant(tenant)} AND event_name = ${event_name}
        AND received_at >= now() - ${IMPACT_DAYS}::integer * interval '1 day'
        AND (received_at, id) < (${before.received}::timestamptz, ${before.id}::bigint)
      ORDER BY events.received_at DESC, id DESC
      LIMIT ${limit}`);
    for (const [index, { properties }] of rows.slice(0, most - checked).entries()) {
      if (index % CHECKED_AT_ONCE === 0) await setImmediate();
      const problems: SchemaProblem[] = [];
      check(parseJsonText(properties), 'properties', problems);
      if (problems.length > 0) broken += 1;
    }
    const has_more = checked + rows.length > most;
    checked = Math.min(most, checked + rows.length);
    if (rows.length < limit || has_more) return { checked, broken, is_complete: !has_more };
    before = rows.at(-1)!;
  }
}
