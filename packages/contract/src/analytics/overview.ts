import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { DayFigures, exampleDay } from './day-figures.ts';
import { reportAnswer, SnapshotQuery } from './report.ts';

const operation = operationsIn('Analytics');

/** The number of days in the overview; the last one is today. */
export const OVERVIEW_DAYS = 30;

export const getOverview = operation('GET /v1/games/{game_id}/analytics/overview', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show today against yesterday and last week',
  description: `Figures of today so far, of yesterday, of the same day last week, and of each of the last ${OVERVIEW_DAYS} days. The CSV holds these ${OVERVIEW_DAYS} days.`,
  query: SnapshotQuery,
  answers: {
    200: reportAnswer(
      'The figures.',
      t.Object({
        time_zone: t.String('Time zone of the game.'),
        today: DayFigures,
        yesterday: DayFigures,
        last_week: DayFigures,
        quota: t.Resource('QuotaUsage', {
          used: t.Integer('Events accepted this UTC calendar month, in both environments.'),
          limit: t.Integer('Events a month by the tier of the game.'),
        }),
        days: t.Array(DayFigures, { description: 'The last days, ending with today.' }),
      }),
      {
        time_zone: 'Europe/Berlin',
        today: exampleDay,
        yesterday: { ...exampleDay, day: '2026-03-07' },
        last_week: { ...exampleDay, day: '2026-03-01' },
        quota: { used: 1_250_000, limit: 10_000_000 },
        days: [exampleDay],
      },
    ),
  },
});
