import { CURRENCIES, millionthsOf } from '@overworld/contract/analytics/currencies';
import type { Answer } from '../../../api/operations.ts';
import { formatMoney } from '../../analytics/revenue/money.ts';
import type { StoryEntry } from './story-groups.ts';

export const REVENUE_SETTINGS = 'GET /v1/games/{game_id}/revenue-settings';
/** The meaning of the game's purchase event. */
export type PurchaseSettings = NonNullable<Answer<typeof REVENUE_SETTINGS>['settings']>;

/** Tells whether an entry is a purchase event of the game. */
export const isPurchase = (entry: StoryEntry, settings: PurchaseSettings | null): boolean =>
  entry.kind === 'event' && entry.event_name === settings?.event_name;

/** Writes the amount of a purchase with its currency; null if it has none that reports would count. */
export function amountOf(properties: object, settings: PurchaseSettings): string | null {
  const values = properties as Record<string, unknown>;
  const amount = values[settings.amount_property];
  const code = settings.currency ?? values[settings.currency_property ?? ''];
  const currency = typeof code === 'string' ? code.toUpperCase() : '';
  if (typeof amount !== 'number' || !CURRENCIES.includes(currency)) return null;
  return formatMoney((amount * millionthsOf(settings.amount_unit, currency)) / 1e6, currency);
}
