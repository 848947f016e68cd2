import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { FILTER_IN_WORDS, Group } from './event-conditions.ts';
import {
  DEFAULT_PROGRESSION_PAGE,
  LEFT_AFTER_DAYS,
  MAX_PROGRESSION_PAGE,
  MAX_PROGRESSION_STEPS,
} from './limits.ts';
import { PlayersQuery } from './player-selection.ts';
import { Report, ReportQuery, Share, SlowFormat, slowReportAnswers } from './report.ts';
import { REPORTS } from './reports.ts';

const operation = operationsIn('Analytics');

const STEP = {
  value: t.String('The step, as text.'),
  starts: t.Integer('Events that start it: the tries.'),
  fails: t.Nullable(t.Integer('Events that fail it; null without a `fail_event`.')),
  completions: t.Nullable(t.Integer('Events that complete it; null without a `complete_event`.')),
  players: t.Integer('Players with any of these events; each counts once.'),
  started_players: t.Integer('Players who started it.'),
  failed_players: t.Nullable(t.Integer('Players who failed it.')),
  completed_players: t.Nullable(t.Integer('Players who completed it.')),
  fail_ratio: Share('`fails` divided by `fails` and `completions` together.'),
  tries_per_completion: Share('`starts` divided by `completions`.'),
  left: t.Integer('Players who left here: see the description.'),
  left_unfinished: t.Integer('Those of them whose last event here did not complete the step.'),
  left_share: Share('`left` divided by `players`.'),
};

const steps = t.Array(t.Resource('ProgressionStep', STEP), {
  description: 'The steps, in their natural order.',
});

export const getProgression = operation(REPORTS.progression.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show starts, fails and completions of levels',
  description: [
    'Counts the events that start, fail and complete a step, such as a level, by the value of the property that names the step. Events count if their `occurred_at` lies in the range of days and they name a player.',
    `A player left at the step of the last of these events, if the player was not active after the range, nor in the last ${LEFT_AFTER_DAYS} days up to today. Of events at the same time, the one that was sent last is the last one.`,
    `Steps are in their natural order: numbers by their size, then texts, in which numbers count by their size too (\`1-2\` before \`1-10\`). The ${MAX_PROGRESSION_STEPS.toLocaleString('en-US')} steps with the most events are told apart. A CSV file has all of them, whatever \`limit\` and \`offset\` are.`,
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  query: t.Object({
    ...ReportQuery.properties,
    format: SlowFormat,
    ...PlayersQuery.properties,
    start_event: t.Name('Name of the event that starts a step.'),
    fail_event: t.Optional(t.Name('Name of the event that fails it.')),
    complete_event: t.Optional(t.Name('Name of the event that completes it.')),
    property: t.Name('Top-level property of these events that names the step.'),
    filter: t.Optional(
      t.String(`Conditions on properties of all these events: ${FILTER_IN_WORDS}.`, {
        minLength: 1,
      }),
    ),
    limit: t.Integer('Largest number of steps.', {
      minimum: 1,
      maximum: MAX_PROGRESSION_PAGE,
      default: DEFAULT_PROGRESSION_PAGE,
    }),
    offset: t.Integer('Number of steps to pass over.', {
      minimum: 0,
      maximum: MAX_PROGRESSION_STEPS,
      default: 0,
    }),
  }),
  answers: slowReportAnswers(
    'The progression.',
    Report('Progression', {
      players: t.Integer('Players with any of these events.'),
      left: t.Integer('Players who left, at any step.'),
      step_count: t.Integer('Steps that are told apart.'),
      other_step_count: t.Integer('Further values, which no number here counts.'),
      steps,
      groups: t.Array(
        t.Resource('ProgressionGroup', {
          ...Group,
          players: t.Integer('Players of the group with any of these events.'),
          left: t.Integer('Players of the group who left.'),
          steps,
        }),
        {
          description:
            'The groups of players, the largest first; none without `split_by`. A group has those of the listed steps that its players have reached.',
        },
      ),
    }),
    {
      players: 1_200,
      left: 310,
      step_count: 40,
      other_step_count: 0,
      steps: [
        {
          value: '1',
          starts: 1_450,
          fails: 210,
          completions: 1_190,
          players: 1_200,
          started_players: 1_200,
          failed_players: 160,
          completed_players: 1_150,
          fail_ratio: 0.15,
          tries_per_completion: 1.2185,
          left: 80,
          left_unfinished: 50,
          left_share: 0.0667,
        },
      ],
      groups: [],
    },
  ),
});
