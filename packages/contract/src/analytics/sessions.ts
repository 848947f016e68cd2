import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { PlayersQuery, splitGroups } from './player-selection.ts';
import { Report, SlowFormat, slowReportAnswers, ReportQuery, Share } from './report.ts';
import { REPORTS } from './reports.ts';

const operation = operationsIn('Analytics');

/**
 * Sessions are counted in classes of length. This is the shortest length in each class, without the first
 * class, which begins at 0.
 */
export const SESSION_LENGTH_BOUNDS_SECONDS = [10, 60, 180, 600, 1_800, 3_600, 7_200] as const;

const SessionDay = t.Resource('SessionsDay', {
  day: t.Day('The day.'),
  session_count: t.Integer('Sessions that began on this day.'),
  sessions_per_player: Share(
    'Sessions that name a player, divided by the players who were active on this day; null without active players.',
  ),
  average_seconds: Share('Average length of the sessions; null without sessions.'),
  lengths: t.Array(t.Integer(), {
    description: 'Number of sessions in each of the `length_classes`.',
  }),
});

const sessionMembers = {
  length_classes: t.Array(
    t.Object({
      from_seconds: t.Integer('Shortest length in the class.'),
      below_seconds: t.Nullable(t.Integer('Lengths are below this; null: no limit.')),
      session_count: t.Integer('Sessions of the whole range in the class.'),
    }),
    { description: 'Classes of lengths, the shortest first.' },
  ),
  session_count: t.Integer('Sessions of the whole range.'),
  average_seconds: Share('Average length of these sessions; null without sessions.'),
  days: t.Array(SessionDay, { description: 'Each day of the range.' }),
};

export const getSessionReport = operation(REPORTS.sessions.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Count sessions and their lengths by day',
  description:
    'A session consists of all events of one player with one `session_id`. It belongs to the day of its first event and lasts from its first event to its last; a single event makes a session of 0 seconds.',
  query: t.Object({ ...ReportQuery.properties, ...PlayersQuery.properties, format: SlowFormat }),
  answers: slowReportAnswers(
    'Each day of the range, in order.',
    Report('SessionReport', {
      ...sessionMembers,
      groups: splitGroups('SessionGroup', sessionMembers),
    }),
    {
      to: '2026-03-01',
      length_classes: [
        { from_seconds: 0, below_seconds: 10, session_count: 40 },
        { from_seconds: 10, below_seconds: null, session_count: 60 },
      ],
      session_count: 100,
      average_seconds: 312.5,
      days: [
        {
          day: '2026-03-01',
          session_count: 100,
          sessions_per_player: 2,
          average_seconds: 312.5,
          lengths: [40, 60],
        },
      ],
      groups: [],
    },
  ),
});
