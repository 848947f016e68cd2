import type { Queryable } from '../../platform/database/database.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { findRevenueSettings } from './store.ts';

/** Names the revenue settings if they look at one of the properties of the purchase event. */
export async function listPurchaseUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (things.every(({ kind }) => kind !== 'event_properties')) return lists;
  const settings = await findRevenueSettings(tx, game_id);
  if (settings === null) return lists;
  const { event_name, amount_property, currency_property, filter } = settings;
  const properties = [amount_property, currency_property, ...filter.map((each) => each.property)];
  return things.map((thing) => {
    if (thing.kind !== 'event_properties' || event_name !== thing.event_name) return [];
    const used = properties.find((name) => name !== null && thing.properties.has(name)) ?? null;
    return used === null ? [] : [nameUser('the revenue settings', thing, used)];
  });
}
