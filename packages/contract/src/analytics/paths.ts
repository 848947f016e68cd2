import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { FILTER_IN_WORDS, Group } from './event-conditions.ts';
import {
  DEFAULT_PATH_EVENTS,
  DEFAULT_PATH_STEPS,
  MAX_HIDDEN_EVENTS,
  MAX_LISTED_PATHS,
  MAX_PATH_EVENTS,
  MAX_PATH_HOURS,
  MAX_PATH_NAMES,
  MAX_PATH_STEPS,
  SESSION_PATH_HOURS,
} from './limits.ts';
import { PlayersQuery } from './player-selection.ts';
import { Report, ReportQuery, SlowFormat, slowReportAnswers } from './report.ts';
import { REPORTS } from './reports.ts';

const operation = operationsIn('Analytics');

const Counted = {
  count: t.Integer('Sessions or players, as `unit` says.'),
  share: t.Number('Their share of all whose path begins with the event, from 0 to 1.'),
};

const Steps = t.Array(
  t.Array(
    t.Resource('PathPlace', {
      kind: t.Enum(
        ['event', 'other', 'end'],
        '`other`: all further events; `end`: paths that have ended before this step.',
      ),
      event_name: t.Nullable(t.String('Null unless `kind` is `event`.')),
      ...Counted,
    }),
  ),
  {
    description: 'For each step its events, the most frequent first, then `other` and `end`.',
  },
);

export const getPaths = operation(REPORTS.path.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show what players do before or after an event',
  description: [
    `Follows each session with the event from its first such event in the range of days on, or back from there: the events of the same session, at most ${SESSION_PATH_HOURS} hours away. With \`window_hours\` it follows each player instead, through all sessions.`,
    'Events are in the order of `occurred_at`, and those of the same time in the order in which they were sent. An event that directly follows one of the same name counts once, unless `repeats` is `keep`. A path that has no further event within its session or time has ended there.',
    `Of names with the same count, those that come first by code points are listed. At most ${MAX_PATH_NAMES} names are told apart; all further ones are in \`other\`. Read from the events themselves, at low priority.`,
  ].join('\n\n'),
  query: t.Object({
    ...ReportQuery.properties,
    format: SlowFormat,
    ...PlayersQuery.properties,
    event_name: t.Name('Name of the event at which paths begin.'),
    filter: t.Optional(
      t.String(`Conditions on properties of this event: ${FILTER_IN_WORDS}.`, { minLength: 1 }),
    ),
    direction: t.Enum(
      ['next', 'previous'],
      'Whether paths lead to the events after it, or before it.',
      { default: 'next' },
    ),
    window_hours: t.Optional(
      t.Integer('Follow players for this time instead of sessions.', {
        minimum: 1,
        maximum: MAX_PATH_HOURS,
      }),
    ),
    steps: t.Integer('Length of the paths.', {
      minimum: 1,
      maximum: MAX_PATH_STEPS,
      default: DEFAULT_PATH_STEPS,
    }),
    limit: t.Integer('Largest number of events at each step; all others are in `other`.', {
      minimum: 1,
      maximum: MAX_PATH_EVENTS,
      default: DEFAULT_PATH_EVENTS,
    }),
    hide: t.Optional(
      t.Array(t.Name('Name of an event.'), {
        maxItems: MAX_HIDDEN_EVENTS,
        description: 'Events that paths pass over, as if they had not happened.',
      }),
    ),
    repeats: t.Enum(['join', 'keep'], 'Whether the same event several times in a row is one.', {
      default: 'join',
    }),
  }),
  answers: slowReportAnswers(
    'The paths.',
    Report('Paths', {
      event_name: t.String('Name of the event at which the paths begin.'),
      direction: t.Enum(['next', 'previous'], 'Direction of the paths.'),
      unit: t.Enum(['sessions', 'players'], 'The things that are counted.'),
      count: t.Integer('All sessions or players with the event.'),
      steps: Steps,
      links: t.Array(
        t.Resource('PathLink', {
          step: t.Integer('Step that the link leads to, from 1 on.'),
          from: t.Integer('Index of the event of the step before; 0 at step 1.'),
          to: t.Integer('Index of the event of this step.'),
          ...Counted,
        }),
        {
          description: 'Steps from one event to the next, in the order of step, `from` and `to`.',
        },
      ),
      paths: t.Array(
        t.Resource('Path', {
          events: t.Array(t.Nullable(t.String()), {
            description: 'Names in the order in which they are followed; null for `other`.',
          }),
          has_ended: t.Boolean('Whether the path ended before it had all steps.'),
          ...Counted,
        }),
        { description: `The most frequent whole paths, at most ${MAX_LISTED_PATHS}.` },
      ),
      groups: t.Array(
        t.Resource('PathGroup', {
          ...Group,
          count: t.Integer('Sessions or players of the group with the event.'),
          steps: Steps,
        }),
        {
          description:
            'The paths of groups of players, the largest first; none without `split_by`. Sessions without a player are in none.',
        },
      ),
    }),
    {
      event_name: 'shop_opened',
      direction: 'next',
      unit: 'sessions',
      count: 200,
      steps: [
        [
          { kind: 'event', event_name: 'purchase', count: 60, share: 0.3 },
          { kind: 'other', event_name: null, count: 40, share: 0.2 },
          { kind: 'end', event_name: null, count: 100, share: 0.5 },
        ],
      ],
      links: [
        { step: 1, from: 0, to: 0, count: 60, share: 0.3 },
        { step: 1, from: 0, to: 1, count: 40, share: 0.2 },
        { step: 1, from: 0, to: 2, count: 100, share: 0.5 },
      ],
      paths: [
        { events: [], has_ended: true, count: 100, share: 0.5 },
        { events: ['purchase'], has_ended: false, count: 60, share: 0.3 },
      ],
      groups: [],
    },
  ),
});
