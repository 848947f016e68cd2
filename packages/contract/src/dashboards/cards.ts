import type { Static } from 'typebox';
import { MAX_REPORT_DAYS } from '../analytics/limits.ts';
import { PINNED_REPORTS, REPORTS } from '../analytics/reports.ts';
import { t } from '../schema.ts';
import { CARD_WIDTHS, DEFAULT_CARD_DAYS } from './limits.ts';

const chartsInWords = PINNED_REPORTS.map(
  (report) => `${report}: ${REPORTS[report].charts.map((chart) => `\`${chart}\``).join(', ')}`,
).join('; ');

const Fields = {
  title: t.NewName('Heading of the card.'),
  report: t.Enum(PINNED_REPORTS, 'The report: the last part of its path.'),
  chart: t.String(`The chart of the report. ${chartsInWords}.`, { minLength: 1, maxLength: 32 }),
};
const Query = t.String(
  'Query string of the report without `environment`, dates and `format`, such as `event_name=purchase&group_by=item`. With the ids in its path, besides that of the game: `experiment_id=…&metric=1` for `results`.',
  { maxLength: 16_384 },
);
const Width = t.Enum(CARD_WIDTHS, 'Part of the width of the dashboard that the card takes.');
const LastDays = t.Nullable(
  t.Integer('The card shows this many days, and today is the last; null where it has fixed days.', {
    minimum: 1,
    maximum: MAX_REPORT_DAYS,
  }),
);
const From = t.Nullable(t.Day('First day of a card with fixed days, else null.'));
const To = t.Nullable(t.Day('Last day of a card with fixed days, else null.'));

/** A pinned chart, as the API returns it. */
export const Card = t.Resource('DashboardCard', {
  id: t.Uuid('Id of the card.'),
  ...Fields,
  query: Query,
  width: Width,
  last_days: LastDays,
  from: From,
  to: To,
});
export type Card = Static<typeof Card>;

/** A pinned chart, as callers send it. */
export const SentCard = t.Object({
  id: t.Optional(t.Uuid('Id of a card that the dashboard has; left out for a new one.')),
  ...Fields,
  query: t.Optional(Query),
  width: t.Optional(Width),
  last_days: t.Optional({
    ...LastDays,
    description: `The card shows this many days, and today is the last; ${DEFAULT_CARD_DAYS} if all days are left out. Not together with \`from\` and \`to\`.`,
  }),
  from: t.Optional(From),
  to: t.Optional(To),
});
export type SentCard = Static<typeof SentCard>;

export const exampleSentCard = {
  title: 'Spending by item',
  report: 'breakdown' as const,
  chart: 'sum',
  query: 'event_name=purchase&group_by=item&property=price',
  width: 'full' as const,
  last_days: 30,
};

export const exampleCard: Card = {
  id: '0f6a6ad0-9c1e-4b5d-8a1b-3d1f3e8a7c55',
  ...exampleSentCard,
  from: null,
  to: null,
};
