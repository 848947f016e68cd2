import { errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { reportStopped } from './event-conditions.ts';
import { FEW_PAYERS, LTV_DAYS } from './limits.ts';
import { PlayersQuery, splitGroups } from './player-selection.ts';
import { Report, ReportQuery, Share, SlowFormat, slowReportAnswer } from './report.ts';
import { REPORTS } from './reports.ts';
import { Currency } from './revenue-settings.ts';

const operation = operationsIn('Analytics');
const LAST_DAY = LTV_DAYS.at(-1)!;

const perPlayer = t.Array(Share('Revenue per player; null while the day is not over.'), {
  description: `Revenue per player by the end of days ${LTV_DAYS.join(', ')} after the first day, which is day 0.`,
});

const PARTS = {
  player_count: t.Integer('Players who came first in the range.'),
  payers: t.Integer(`Those of them with a purchase by day ${LAST_DAY}.`),
  revenue: t.Number(`Their purchases less their refunds until now, by day ${LAST_DAY} at most.`),
  per_player: t.Array(
    t.Resource('LifetimeValueDay', {
      day: t.Integer('Number of days after the first day.'),
      players: t.Integer('Players for whom this day is over.'),
      revenue: t.Number('Their revenue by the end of it.'),
      value: Share('Revenue per player.'),
    }),
    { description: `Days ${LTV_DAYS.join(', ')}.` },
  ),
  forecast: t.Nullable(
    t.Resource('LifetimeValueForecast', {
      day: t.Integer(`The day that is forecast: ${LAST_DAY}.`),
      value: t.Number('Expected revenue per player by the end of this day, over the whole range.'),
      low: t.Number('Lower end of the 95 % interval.'),
      high: t.Number('Upper end of the 95 % interval.'),
    }),
  ),
  cohorts: t.Array(
    t.Resource('LifetimeValueCohort', {
      first_day: t.Day('First day.'),
      last_day: t.Day('Last day of the week, or the same day.'),
      player_count: t.Integer('Players who came first on these days.'),
      payers: t.Integer(`Those of them with a purchase by day ${LAST_DAY}.`),
      revenue: t.Number('Their revenue until now.'),
      per_player: perPlayer,
    }),
    { description: 'The cohorts, in order of their first days.' },
  ),
};

export const getLifetimeValue = operation(REPORTS['lifetime-value'].route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show revenue by cohort and lifetime value',
  description: [
    `Adds up the purchases of the players who came first in the range, by the days since their own first day, as the revenue report counts purchases and the retention report first days. Purchases count until the end of day ${LAST_DAY}, also after the range. Purchases without a player are in no number. A day of a cohort has a value once it is over for all of its players.`,
    `The forecast grows the value of each cohort from its last day with a value to day ${LAST_DAY}, by the factors by which cohorts of the same range have grown. Its interval is from 200 repetitions with payers drawn at random: it covers the chance of which players came, and no change of the game. There is none for fewer than ${FEW_PAYERS} payers, or while day ${LAST_DAY} is over for fewer than ${FEW_PAYERS} payers of the range.`,
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  query: t.Object({
    ...ReportQuery.properties,
    format: SlowFormat,
    ...PlayersQuery.properties,
    cohort: t.Enum(['day', 'week'], 'Whether players are put together by first day or by week.', {
      default: 'week',
    }),
    currency: t.Optional(
      Currency(
        'Only purchases in this currency, not converted. Left out: all purchases, converted, where the game has a `report_currency`; else those in the currency with the most purchases',
      ),
    ),
  }),
  answers: {
    200: slowReportAnswer(
      'The report.',
      Report('LifetimeValue', {
        currency: t.Nullable(t.String('Currency of all amounts; null if nothing was bought.')),
        is_converted: t.Boolean('Whether all currencies are converted into this one.'),
        ...PARTS,
        groups: splitGroups('LifetimeValueGroup', PARTS),
      }),
      {
        currency: 'EUR',
        is_converted: true,
        player_count: 610,
        payers: 31,
        revenue: 210.5,
        per_player: LTV_DAYS.map((day) => ({
          day,
          players: day <= 7 ? 610 : 0,
          revenue: day <= 7 ? 110.5 : 0,
          value: day <= 7 ? 0.1811 : null,
        })),
        forecast: null,
        cohorts: [
          {
            first_day: '2026-03-01',
            last_day: '2026-03-01',
            player_count: 610,
            payers: 31,
            revenue: 210.5,
            per_player: LTV_DAYS.map((day) => (day <= 7 ? 0.1811 : null)),
          },
        ],
        groups: [],
      },
    ),
    404: errorAnswer(
      'The game has no revenue settings, or the account is no member of the game.',
      'Revenue settings not found: choose the event that is a purchase',
    ),
    503: reportStopped,
  },
});
