import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { createPauses } from '../../platform/pauses.ts';
import { readDefinition } from './definition.ts';

/**
 * Lists the drafts and running experiments whose metrics add a property up. Experiments that have ended read
 * only events of the past.
 */
export async function listMetricUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (things.every(({ kind }) => kind !== 'event_properties')) return lists;
  const experiments = await tx.query<{ name: string; definition: string }>(sql`
    SELECT name, definition FROM experiments
    WHERE game_id = ${game_id} AND state IN ('draft', 'running') ORDER BY name`);
  const pause = createPauses();
  for (const { name, definition } of experiments) {
    await pause();
    const { metrics } = readDefinition(definition);
    for (const [index, thing] of things.entries()) {
      if (thing.kind !== 'event_properties') continue;
      const used = metrics.find(
        ({ event_name, property }) =>
          event_name === thing.event_name &&
          property !== undefined &&
          thing.properties.has(property),
      );
      if (used === undefined) continue;
      lists[index]!.push(nameUser(`the experiment "${name}"`, thing, used.property!));
    }
  }
  return lists;
}
