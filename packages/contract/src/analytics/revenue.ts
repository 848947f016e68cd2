import { errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_PURCHASE_AMOUNT } from './currencies.ts';
import { reportStopped } from './event-conditions.ts';
import { PlayersQuery, splitGroups } from './player-selection.ts';
import { Report, ReportQuery, Share, SlowFormat, slowReportAnswer } from './report.ts';
import { REPORTS } from './reports.ts';
import { Currency } from './revenue-settings.ts';

const operation = operationsIn('Analytics');

const NUMBERS = {
  revenue: t.Number('Amounts of the purchases less those of the refunds.'),
  refunded: t.Number('Amounts of the refunds, as a positive number.'),
  purchase_count: t.Integer('Purchases with an amount above zero.'),
  refund_count: t.Integer('Purchases with a negative amount.'),
  payers: t.Integer('Players with at least one purchase above zero; each counts once.'),
  active_players: t.Integer(
    'Players who were active on the day; for several days the sum over the days.',
  ),
  arpdau: Share('Revenue divided by `active_players`.'),
  arppu: Share('Revenue divided by `payers`.'),
  paying_share: Share(
    'Payers of each day divided by `active_players`: the share of the players of a day who pay on it.',
  ),
};

const PERIOD = {
  from: t.Day('First day.'),
  to: t.Day('Last day, included.'),
  ...NUMBERS,
};

/** The numbers of a report, or of a group of players. */
const PARTS = {
  period: t.Object(PERIOD, {
    title: 'RevenuePeriod',
    description: 'The days of the range that are over; today if the range has no other day.',
  }),
  previous: t.Object(PERIOD, {
    title: 'RevenuePreviousPeriod',
    description: 'As many days right before the range, to compare with.',
  }),
  days: t.Array(t.Resource('RevenueDay', { day: t.Day('The day.'), ...NUMBERS }), {
    description: 'Each day of the range, in order.',
  }),
  conversion: t.Array(
    t.Resource('RevenueConversion', {
      day: t.Integer('Number of days after the first active day.'),
      players: t.Integer('New players of the range for whom this day is over.'),
      payers: t.Integer('Those of them who had paid by the end of this day, also after the range.'),
      share: Share('Their share.'),
    }),
    { description: 'Days 0, 1, 3, 7, 14 and 30, as far as they are over for some players.' },
  ),
};

const exampleNumbers = {
  revenue: 1204.5,
  refunded: 9.99,
  purchase_count: 310,
  refund_count: 1,
  payers: 201,
  active_players: 5_120,
  arpdau: 0.2353,
  arppu: 5.9925,
  paying_share: 0.0393,
};
const examplePeriod = { from: '2026-03-01', to: '2026-03-01', ...exampleNumbers };

const leftOut = (reason: string) => t.Integer(`Events that are not counted: ${reason}.`);

export const getRevenue = operation(REPORTS.revenue.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show revenue, payers and conversion',
  description: [
    'Counts the purchase events that the revenue settings of the game name, by the day on which they happened. Active players are those of the report of active players, and new players those of the retention report.',
    'Amounts in different currencies are never added up: with `report_currency` they are converted by the rates of the settings; without it, the report is about the purchases in one currency.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  query: t.Object({
    ...ReportQuery.properties,
    format: SlowFormat,
    ...PlayersQuery.properties,
    currency: t.Optional(
      Currency(
        'Only purchases in this currency, not converted. Left out: all purchases, converted, where the game has a `report_currency`; else those in the currency with the most purchases',
      ),
    ),
  }),
  answers: {
    200: slowReportAnswer(
      'The report.',
      Report('Revenue', {
        currency: t.Nullable(
          t.String('Currency of all amounts; null if nothing was bought in these days.'),
        ),
        is_converted: t.Boolean(
          'Whether the report holds all currencies, converted into this one.',
        ),
        currencies: t.Array(
          t.Resource('RevenueCurrency', {
            currency: t.String('The currency.'),
            purchase_count: t.Integer('Purchases in it.'),
            refund_count: t.Integer('Refunds in it.'),
            revenue: t.Number('Their sum, in this currency.'),
            has_rate: t.Boolean('Whether it can be converted.'),
          }),
          {
            description:
              'The currencies of the purchases of the range, that with the most purchases first. The numbers are those of the days of `period`.',
          },
        ),
        ...PARTS,
        previous_days: t.Array(
          t.Resource('RevenuePreviousDay', { day: t.Day('The day.'), ...NUMBERS }),
          { description: 'Each day of `previous`, in order.' },
        ),
        groups: splitGroups('RevenueGroup', PARTS),
        anonymous_count: t.Integer(
          'Purchases and refunds without a player: they count as revenue, but nobody is their payer.',
        ),
        left_out: t.Object(
          {
            not_a_number: leftOut('the amount is missing, or is no number in JSON'),
            too_large: leftOut(
              `the amount is above ${MAX_PURCHASE_AMOUNT.toLocaleString('en')} or below the negative of it`,
            ),
            zero: leftOut('the amount is 0'),
            no_currency: leftOut('the currency is missing, or is none of ISO 4217'),
            no_rate: leftOut('the currency has no rate'),
          },
          { title: 'RevenueLeftOut', description: 'Events of the range that are in no number.' },
        ),
      }),
      {
        to: '2026-03-01',
        currency: 'EUR',
        is_converted: true,
        currencies: [
          {
            currency: 'EUR',
            purchase_count: 300,
            refund_count: 1,
            revenue: 1158.5,
            has_rate: true,
          },
          { currency: 'USD', purchase_count: 10, refund_count: 0, revenue: 50, has_rate: true },
        ],
        period: examplePeriod,
        previous: { ...examplePeriod, from: '2026-02-28', to: '2026-02-28' },
        days: [{ day: '2026-03-01', ...exampleNumbers }],
        previous_days: [{ day: '2026-02-28', ...exampleNumbers }],
        conversion: [{ day: 0, players: 610, payers: 12, share: 0.0197 }],
        groups: [],
        anonymous_count: 0,
        left_out: { not_a_number: 0, too_large: 0, zero: 2, no_currency: 0, no_rate: 0 },
      },
    ),
    404: errorAnswer(
      'The game has no revenue settings, or the account is no member of the game.',
      'Revenue settings not found: choose the event that is a purchase',
    ),
    503: reportStopped,
  },
});
