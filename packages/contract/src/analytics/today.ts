import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { DayFigures, exampleDay } from './day-figures.ts';
import { reportAnswer, SnapshotQuery } from './report.ts';

const operation = operationsIn('Analytics');

export const getTodaySoFar = operation('GET /v1/games/{game_id}/analytics/today', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Compare today so far with earlier days until the same time of day',
  description:
    'Today is not over, so its numbers are compared with those that yesterday and the same day last week had by the same time of day, in the time zone of the game. All three end with the last full quarter of an hour whose events have had two minutes to arrive. Numbers of today are at most a minute old, those of earlier days a quarter of an hour. A session that began more than 24 hours before a day makes no player active on that day here.',
  query: SnapshotQuery,
  answers: {
    200: reportAnswer(
      'The three days, each from midnight on.',
      t.Object({
        time_zone: t.String('Time zone of the game.'),
        until: t.Timestamp('The end of the part of today.'),
        today: DayFigures,
        yesterday: DayFigures,
        last_week: DayFigures,
      }),
      {
        time_zone: 'Europe/Berlin',
        until: '2026-03-08T13:15:00.000Z',
        today: exampleDay,
        yesterday: { ...exampleDay, day: '2026-03-07' },
        last_week: { ...exampleDay, day: '2026-03-01' },
      },
    ),
  },
});
