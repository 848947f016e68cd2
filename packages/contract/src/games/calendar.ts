import type { Static } from 'typebox';
import { answer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_CALENDAR_DAYS, MAX_CALENDAR_ENTRIES } from './calendar-limits.ts';

const operation = operationsIn('Games');

export const CALENDAR_KINDS = [
  'config_schedule',
  'experiment',
  'season',
  'message',
  'message_schedule',
  'release',
  'annotation',
  'alert',
] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

const Kind = t.Enum(
  CALENDAR_KINDS,
  '`config_schedule`: a scheduled change of the config, until its end; cancelled ones are left out. `experiment`: one that was started, until it was stopped. `season`: a season of a leaderboard; seasons to come are not known yet. `message`: one to everyone or to a segment, until it ends; recalled ones are left out. `message_schedule`: a message that a schedule will send. `release`: the first session with a version of the game. `annotation`: written by a member. `alert`: fired, until its state changed.',
);

const Entry = t.Resource('CalendarEntry', {
  kind: Kind,
  key: t.String(
    'Names the thing in its own operations: an id, for a season the name of its board. Several entries can be about one thing.',
  ),
  title: t.String('Its name, title or words.'),
  day: t.Day('The day of its start, in the time zone of the game.'),
  starts_at: t.Timestamp('Its start; of an annotation for all of a day, the start of the day.'),
  ends_at: t.Nullable(t.Timestamp('Its end; null: a moment, or an end that is not known.')),
  is_all_day: t.Boolean('True for an annotation for all of a day.'),
  may_move: t.Enum(
    ['all', 'end', 'none'],
    'The times that the caller may change by the operation of the thing: `all`, only the end, or none.',
  ),
});
export type CalendarEntry = Static<typeof Entry>;

const CalendarConflict = t.Resource('CalendarConflict', {
  kind: t.Enum(
    ['experiment_waits'],
    '`experiment_waits`: a draft of an experiment has a parameter of a scheduled change that is coming or running. The experiment cannot start until the change is over or cancelled.',
  ),
  schedule_id: t.Uuid('The scheduled change.'),
  experiment_id: t.Uuid('The draft.'),
  parameter: t.String('Key of the parameter of both.'),
  text: t.String('The conflict in words.'),
});
export type CalendarConflict = Static<typeof CalendarConflict>;

const schedule = {
  kind: 'config_schedule' as const,
  key: '7d3c1f1e-52c6-4a52-9d0a-6a2f6f0a3b11',
  title: 'Double rewards of the weekend',
  day: '2026-03-14',
  starts_at: '2026-03-13T23:00:00.000Z',
  ends_at: '2026-03-15T23:00:00.000Z',
  is_all_day: false,
  may_move: 'all' as const,
};

export const getCalendar = operation('GET /v1/games/{game_id}/calendar', {
  access: 'viewer',
  summary: 'Show what happens in a game, day by day',
  description: `Entries of several kinds that begin, last or end on these days, in the order of their starts. Of each kind at most ${MAX_CALENDAR_ENTRIES}, the first by their starts; \`cut_kinds\` names the kinds that have more.\n\nOperations refuse to schedule two changes of one parameter at one time, or a change of a parameter of a running experiment. \`conflicts\` names what they will refuse next: a draft of an experiment that cannot start because a scheduled change of these days has one of its parameters.`,
  query: t.Object({
    ...EnvironmentQuery.properties,
    from: t.Optional(
      t.Day(
        'First day, in the time zone of the game, such as `2026-03-01`; 27 days before `to` when left out.',
      ),
    ),
    to: t.Optional(
      t.Day(
        `Last day, included; today when left out. A calendar has at most ${MAX_CALENDAR_DAYS} days.`,
      ),
    ),
  }),
  answers: {
    200: answer(
      'The calendar.',
      t.Object({
        from: t.Day('First day of the calendar.'),
        to: t.Day('Last day of the calendar, included.'),
        today: t.Day('The present day in the time zone of the game.'),
        time_zone: t.String('Time zone of the game, in which its days begin and end.'),
        entries: t.Array(Entry),
        cut_kinds: t.Array(Kind, { description: 'The kinds of which not all entries are shown.' }),
        conflicts: t.Array(CalendarConflict),
      }),
      {
        from: '2026-03-02',
        to: '2026-03-29',
        today: '2026-03-10',
        time_zone: 'Europe/Berlin',
        entries: [schedule],
        cut_kinds: [],
        conflicts: [
          {
            kind: 'experiment_waits',
            schedule_id: schedule.key,
            experiment_id: '3c1f7c50-9a3b-4d8e-b1a6-52f0f4b7d921',
            parameter: 'daily_reward',
            text: 'The experiment "Reward size" cannot start until the scheduled change "Double rewards of the weekend" is over: both have daily_reward',
          },
        ],
      },
    ),
  },
});
