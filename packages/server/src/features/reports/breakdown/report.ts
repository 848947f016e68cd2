import { getBreakdown } from '@overworld/contract/analytics/breakdown';
import { ALL_LABEL, tableOf } from '../../../platform/reports/csv-report.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { EventReport } from '../report-description.ts';
import { readCurrency, readEvents, requireOneSplit } from '../request/conditions.ts';
import type { BreakdownInput, BreakdownReport } from './breakdown.ts';

interface Question extends Pick<BreakdownInput, 'events' | 'group_by' | 'property' | 'limit'> {
  currency: string | null;
}

/** The events of one name by the values of a property, with sums of another property. */
export const breakdown: EventReport<typeof getBreakdown, Question> = {
  operation: getBreakdown,
  readQuestion({ event_name, filter, group_by = null, property = null, limit, ...query }) {
    const events = readEvents(event_name, filter);
    requireOneSplit(query.split_by, 'group_by', group_by);
    return { events, group_by, property, limit, currency: readCurrency(query) };
  },
  async complete({ currency, ...question }, { game_id, services }) {
    const { events, property } = question;
    if (property === null) return question;
    const settings = await services.findRevenueSettings(services.database, game_id);
    const isMoney =
      settings?.event_name === events.event_name && settings.amount_property === property;
    const currency_property = isMoney ? settings.currency_property : null;
    if (currency_property === null) return question;
    return { ...question, money: { currency_property, currency } };
  },
  toTable: breakdownTable,
};

const NUMBER_COLUMNS = [
  'events',
  'players',
  'numbers',
  'sum',
  'average',
  'minimum',
  'p25',
  'median',
  'p75',
  'p90',
  'p99',
  'maximum',
] as const;

/** Makes a table with one line for all events, and then one line for each group. */
function breakdownTable({ total, groups }: BreakdownReport): CsvTable {
  const lines = [{ ...ALL_LABEL, ...total }, ...groups];
  return tableOf(
    'breakdown',
    ['group', 'value', ...NUMBER_COLUMNS],
    lines.map(({ kind, ...line }) => ({ group: kind, ...line })),
  );
}
