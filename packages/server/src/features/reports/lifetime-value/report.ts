import { LTV_DAYS } from '@overworld/contract/analytics/limits';
import { getLifetimeValue } from '@overworld/contract/analytics/lifetime-value';
import type { SuccessOf } from '@overworld/contract/operation';
import { notFound } from '../../../platform/errors.ts';
import { withGroups } from '../../../platform/reports/csv-report.ts';
import type { EventReport } from '../report-description.ts';
import { readCurrency } from '../request/conditions.ts';

/** Revenue by the cohorts of new players, and their value by the days since their first. */
export const lifetimeValue: EventReport<
  typeof getLifetimeValue,
  { currency: string | null; cohort: 'day' | 'week' }
> = {
  operation: getLifetimeValue,
  readQuestion: (query) => ({ currency: readCurrency(query), cohort: query.cohort }),
  async complete(question, { game_id, services }) {
    const settings = await services.findRevenueSettings(services.database, game_id);
    if (settings === null) {
      throw notFound('Revenue settings not found: choose the event that is a purchase');
    }
    return { ...question, settings };
  },
  toTable: (report: SuccessOf<typeof getLifetimeValue>) =>
    withGroups(report, ({ currency, cohorts }) => ({
      name: 'lifetime-value',
      columns: [
        'first_day',
        'last_day',
        'player_count',
        'payers',
        'currency',
        'revenue',
        ...LTV_DAYS.map((day) => `day_${day}`),
      ],
      rows: cohorts.map((each) => [
        each.first_day,
        each.last_day,
        each.player_count,
        each.payers,
        currency,
        each.revenue,
        ...each.per_player,
      ]),
    })),
};
