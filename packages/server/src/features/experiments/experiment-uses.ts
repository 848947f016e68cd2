import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { createPauses } from '../../platform/pauses.ts';
import { readDefinition } from './definition.ts';
import type { Definition } from './definition.ts';

/**
 * Lists the drafts and running experiments whose metrics add a property up, or whose condition is about a
 * statistic. Experiments that have ended read only events of the past.
 */
export async function listExperimentUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (things.every(({ kind }) => kind !== 'event_properties' && kind !== 'stat')) return lists;
  const experiments = await tx.query<{ name: string; definition: string }>(sql`
    SELECT name, definition FROM experiments
    WHERE game_id = ${game_id} AND state IN ('draft', 'running') ORDER BY name`);
  const pause = createPauses();
  for (const { name, definition } of experiments) {
    await pause();
    const read = readDefinition(definition);
    for (const [index, thing] of things.entries()) {
      const used = findUsed(read, thing);
      if (used === null) continue;
      lists[index]!.push(nameUser(`the experiment "${name}"`, thing, used));
    }
  }
  return lists;
}

/** Finds the name of what an experiment uses of a thing; null if it does not use the thing. */
function findUsed({ condition, metrics }: Definition, thing: UsedThing): string | null {
  switch (thing.kind) {
    case 'stat': {
      const is_used = condition?.properties?.some(
        (each) => 'stat' in each && each.stat === thing.key,
      );
      return is_used ? thing.key : null;
    }
    case 'event_properties': {
      const metric = metrics.find(
        ({ event_name, property }) =>
          event_name === thing.event_name &&
          property !== undefined &&
          thing.properties.has(property),
      );
      return metric?.property ?? null;
    }
    default:
      return null;
  }
}
