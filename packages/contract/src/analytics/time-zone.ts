import { answer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { TimeZoneChange } from '../games/games.ts';

const operation = operationsIn('Games');

export const getTimeZone = operation('GET /v1/games/{game_id}/time-zone', {
  access: 'viewer',
  summary: 'Show the time zone of a game, and the cost of another one',
  description:
    '`updateGame` changes the time zone. Then the days of all counts are cut anew, in both environments.',
  answers: {
    200: answer(
      'The time zone.',
      t.Object({
        time_zone: t.String('IANA time zone in which the days of the game begin and end.'),
        change: TimeZoneChange,
        event_count: t.Integer('Events whose days would be cut anew.'),
        estimated_seconds: t.Integer('About how long a change takes, on an idle server.'),
        complete_since: t.Nullable(
          t.Day(
            'First day whose events are all stored; null if those of every day are. Before it, three things keep the days of the old zone: the counts by the day of receipt, and the days of players between the first and the last day of a session. All other counts are exact for all time.',
          ),
        ),
      }),
      {
        time_zone: 'Europe/Berlin',
        change: null,
        event_count: 1_250_000,
        estimated_seconds: 6,
        complete_since: null,
      },
    ),
  },
});
