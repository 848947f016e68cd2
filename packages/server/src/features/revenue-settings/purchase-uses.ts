import type { Queryable } from '../../platform/database/database.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { findRevenueSettings } from './store.ts';

/** Names the revenue settings if they look at one of the properties of the purchase event. */
export async function listPurchaseUses(
  tx: Queryable,
  game_id: string,
  thing: UsedThing,
): Promise<string[]> {
  if (thing.kind !== 'event_properties') return [];
  const settings = await findRevenueSettings(tx, game_id);
  if (settings === null || settings.event_name !== thing.event_name) return [];
  const { amount_property, currency_property, filter } = settings;
  const properties = [amount_property, currency_property, ...filter.map((each) => each.property)];
  const used = properties.find((name) => name !== null && thing.properties.has(name)) ?? null;
  return used === null ? [] : [nameUser('the revenue settings', thing, used)];
}
