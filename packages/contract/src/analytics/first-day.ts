import { answer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Analytics');

export const getFirstDay = operation('GET /v1/games/{game_id}/analytics/first-day', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show the day on which the numbers of an environment begin',
  description: 'Reports on earlier days are empty.',
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The day.',
      t.Object({
        time_zone: t.String('Time zone of the game.'),
        first_day: t.Nullable(t.Day('Day of the earliest event; null without events.')),
      }),
      { time_zone: 'Europe/Berlin', first_day: '2026-03-01' },
    ),
  },
});
