import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { readDefinition } from './definition.ts';

/**
 * Lists the drafts and running experiments whose metrics add a property up. Experiments that have ended read
 * only events of the past.
 */
export async function listMetricUses(
  tx: Queryable,
  game_id: string,
  thing: UsedThing,
): Promise<string[]> {
  if (thing.kind !== 'event_properties') return [];
  const experiments = await tx.query<{ name: string; definition: string }>(sql`
    SELECT name, definition FROM experiments
    WHERE game_id = ${game_id} AND state IN ('draft', 'running') ORDER BY name`);
  return experiments.flatMap(({ name, definition }) => {
    const used = readDefinition(definition).metrics.find(
      ({ event_name, property }) =>
        event_name === thing.event_name && property !== undefined && thing.properties.has(property),
    );
    return used === undefined ? [] : [nameUser(`the experiment "${name}"`, thing, used.property!)];
  });
}
