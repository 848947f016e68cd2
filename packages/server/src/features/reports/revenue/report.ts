import { getRevenue } from '@overworld/contract/analytics/revenue';
import { notFound } from '../../../platform/errors.ts';
import { tableOf, withGroups } from '../../../platform/reports/csv-report.ts';
import type { EventReport } from '../report-description.ts';
import { readCurrency } from '../request/conditions.ts';

/** The revenue, the payers and their conversion. */
export const revenue: EventReport<typeof getRevenue, { currency: string | null }> = {
  operation: getRevenue,
  readQuestion: (query) => ({ currency: readCurrency(query) }),
  async complete(question, { game_id, services }) {
    const settings = await services.findRevenueSettings(services.database, game_id);
    if (settings === null) {
      throw notFound('Revenue settings not found: choose the event that is a purchase');
    }
    return { ...question, settings };
  },
  toTable: (report) =>
    withGroups(report, ({ currency, days }) =>
      tableOf(
        'revenue',
        ['day', 'currency', ...COLUMNS],
        days.map((day) => ({ ...day, currency })),
      ),
    ),
};

const COLUMNS = [
  'revenue',
  'refunded',
  'purchase_count',
  'refund_count',
  'payers',
  'active_players',
  'arpdau',
  'arppu',
  'paying_share',
] as const;
