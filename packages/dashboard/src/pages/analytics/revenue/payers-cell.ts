import type { Cell } from '../../../reports/behind/cells.ts';
import type { Revenue } from './revenue-metrics.ts';
import type { RevenueSettings } from './settings/settings-form.ts';

/**
 * Makes the function that gives the players with purchases on some days. It gives null where the
 * report shows one of several currencies: games write codes in upper and lower case, and a condition
 * on events tells these apart.
 */
export function makePayersCell(data: Revenue, settings: RevenueSettings) {
  const isOfAll = data.is_converted || data.currencies.length === 1;
  const { event_name, filter, amount_property } = settings;
  const isPaid = { property: amount_property, operator: 'gt' as const, value: 0 };
  return ({ from, to }: { from: string; to: string }): Cell | null =>
    isOfAll ? { report: 'events', from, to, event_name, filter: [...filter, isPaid] } : null;
}
