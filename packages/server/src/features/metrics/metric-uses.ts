import type { Queryable } from '../../platform/database/database.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import type { MetricDefinition } from './definition.ts';
import { listMetrics } from './store.ts';

/** Lists the metrics that refer to things: ratios to other metrics, the others to properties of events. */
export async function listMetricUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (things.every(({ kind }) => kind !== 'metric' && kind !== 'event_properties')) return lists;
  const metrics = await listMetrics(tx, game_id);
  return things.map((thing) =>
    metrics.flatMap(({ key, definition }) => {
      const used = findUsed(definition, thing);
      return used === null ? [] : [nameUser(`the metric "${key}"`, thing, used)];
    }),
  );
}

function findUsed(definition: MetricDefinition, thing: UsedThing): string | null {
  const { numerator, denominator, event_name, filter = [] } = definition;
  if (thing.kind === 'metric') {
    return numerator === thing.key || denominator === thing.key ? thing.key : null;
  }
  if (thing.kind !== 'event_properties' || thing.event_name !== event_name) return null;
  const { property, currency_property } = definition;
  const properties = [property, currency_property, ...filter.map((each) => each.property)];
  return properties.find((name) => name !== undefined && thing.properties.has(name)) ?? null;
}
