import type { Queryable } from '../../platform/database/database.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { findRevenueSettings } from './store.ts';

/** Tells whether the revenue settings look at a property of the purchase event. */
export async function listPurchaseUses(
  tx: Queryable,
  game_id: string,
  thing: UsedThing,
): Promise<string[]> {
  if (thing.kind !== 'event_property') return [];
  const settings = await findRevenueSettings(tx, game_id);
  if (settings === null || settings.event_name !== thing.event_name) return [];
  const { amount_property, currency_property, filter } = settings;
  const properties = [amount_property, currency_property, ...filter.map((each) => each.property)];
  return properties.includes(thing.property) ? ['the revenue settings'] : [];
}
