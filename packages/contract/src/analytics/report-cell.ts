import type { Static } from 'typebox';
import { SESSION_LENGTH_BOUNDS_SECONDS } from './sessions.ts';
import { t } from '../schema.ts';
import { EventFilters, FunnelStepList } from './event-conditions.ts';
import {
  MAX_FUNNEL_STEPS,
  MAX_FUNNEL_WINDOW_MINUTES,
  MAX_HIDDEN_EVENTS,
  MAX_PATH_EVENTS,
  MAX_PATH_HOURS,
  MAX_PATH_STEPS,
} from './limits.ts';
import { MAX_RETENTION_DAY } from './players.ts';
import { CELL_REPORTS, REPORTS } from './reports.ts';
import { Currency } from './revenue-settings.ts';

/** Names one number of a report, and thereby the players whom that number counts. */
export const ReportCell = t.Object(
  {
    report: t.Enum(CELL_REPORTS, 'The report.'),
    from: t.Day('First day, in the time zone of the game.'),
    to: t.Day('Last day, included.'),
    players: t.Optional(
      t.Enum(
        ['active', 'new'],
        'Of `active-players`: players active on any of these days, or those who came first on them.',
      ),
    ),
    day: t.Optional(
      t.Integer('Of `retention`: the day after the first one.', {
        minimum: 0,
        maximum: MAX_RETENTION_DAY,
      }),
    ),
    returned: t.Optional(
      t.Boolean(
        'Of `retention`: whether the players who came first on these days were active on that day.',
      ),
    ),
    length_class: t.Optional(
      t.Integer('Of `sessions`: number of a class of lengths, from 0; all lengths without it.', {
        minimum: 0,
        maximum: SESSION_LENGTH_BOUNDS_SECONDS.length,
      }),
    ),
    steps: t.Optional(FunnelStepList),
    window_minutes: t.Optional(
      t.Integer('Of `funnel`: its window.', { minimum: 1, maximum: MAX_FUNNEL_WINDOW_MINUTES }),
    ),
    step: t.Optional(
      t.Integer(
        `Of \`funnel\` and \`path\`: number of a step, from 1; at most ${MAX_PATH_STEPS} for \`path\`.`,
        {
          minimum: 1,
          maximum: MAX_FUNNEL_STEPS,
        },
      ),
    ),
    outcome: t.Optional(
      t.Enum(
        ['reached', 'stopped', 'left', 'left_unfinished'],
        'Of `funnel`: players who took the step (`reached`), or those of them who took no further one (`stopped`). Of `progression`: the players who left at the step, or those of them who had not completed it.',
      ),
    ),
    event_name: t.Optional(
      t.Name(
        'Of `events`: players who had an event of this name. Of `path`: the event at which paths begin.',
      ),
    ),
    filter: t.Optional(EventFilters),
    property: t.Optional(
      t.Name('Of `events`: a property of the event. Of `progression`: the one that names steps.'),
    ),
    start_event: t.Optional(t.Name('Of `progression`: its event that starts a step.')),
    fail_event: t.Optional(t.Name('Of `progression`: its event that fails a step.')),
    complete_event: t.Optional(t.Name('Of `progression`: its event that completes a step.')),
    value: t.Optional(
      t.Nullable(
        t.String(
          'Of `events` and `progression`: its value as text, as a group of a breakdown or a step names it; null without.',
          {
            maxLength: 255,
          },
        ),
      ),
    ),
    currency: t.Optional(
      Currency(
        'Of `revenue`: players with a purchase in this currency. Without it, in any currency that the report converts, or in any at all if it converts none',
      ),
    ),
    direction: t.Optional(
      t.Enum(['next', 'previous'], 'Of `path`: its direction; `next` when left out.'),
    ),
    window_hours: t.Optional(
      t.Integer('Of `path`: its window; sessions without it.', {
        minimum: 1,
        maximum: MAX_PATH_HOURS,
      }),
    ),
    hide: t.Optional(
      t.Array(t.Name('Name of an event.'), {
        maxItems: MAX_HIDDEN_EVENTS,
        description: 'Of `path`: events that it passes over.',
      }),
    ),
    repeats: t.Optional(
      t.Enum(['join', 'keep'], 'Of `path`: its treatment of repeats; `join` when left out.'),
    ),
    place: t.Optional(
      t.Enum(
        ['event', 'other', 'end'],
        'Of `path`: players who came to one of the `names` at this step, to any other event, or to none because their path had ended right before.',
      ),
    ),
    names: t.Optional(
      t.Array(t.Name('Name of an event.'), {
        maxItems: MAX_PATH_EVENTS,
        description: 'Of `path`: the events that `place` is about.',
      }),
    ),
  },
  { title: 'ReportCell', additionalProperties: false },
);
export type ReportCell = Static<typeof ReportCell>;

/** The members that a cell of a report must have besides the days. */
export const cellMembersOf = (report: ReportCell['report']): readonly (keyof ReportCell)[] =>
  REPORTS[report].cell;
