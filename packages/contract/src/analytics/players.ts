import type { TSchema } from 'typebox';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { PlayersQuery, splitGroups } from './player-selection.ts';
import { Report, SlowFormat, slowReportAnswers, ReportQuery, Share } from './report.ts';
import { REPORTS } from './reports.ts';

/** The last day of a retention report. Day 0 is a player's first active day. */
export const MAX_RETENTION_DAY = 30;
/**
 * A player who was active on a day counts in the weekly active players (WAU) of that day and of the next 6
 * days. For the monthly active players (MAU), it is the next 29 days.
 */
export const WEEKLY_WINDOW_DAYS = 7;
export const MONTHLY_WINDOW_DAYS = 30;

const operation = operationsIn('Analytics');

const ActiveDay = t.Resource('ActivePlayersDay', {
  day: t.Day('The day.'),
  daily: t.Integer('Players who sent an event on this day (DAU).'),
  weekly: t.Integer(
    `Players who sent an event on this day or the ${WEEKLY_WINDOW_DAYS - 1} before (WAU).`,
  ),
  monthly: t.Integer(
    `Players who sent an event on this day or the ${MONTHLY_WINDOW_DAYS - 1} before (MAU).`,
  ),
  stickiness: Share('Daily divided by monthly: 0.2 means that a player comes every fifth day.'),
  new_players: t.Integer('Players whose first active day it is.'),
});

const activeDays = { days: t.Array(ActiveDay, { description: 'Each day of the range.' }) };

export const getActivePlayers = operation(REPORTS['active-players'].route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Count active and new players by day',
  description:
    'A player is active on a day if at least one event of this day names the player, even if the event arrives later. The numbers of today still rise.',
  query: t.Object({ ...ReportQuery.properties, ...PlayersQuery.properties, format: SlowFormat }),
  answers: slowReportAnswers(
    'Each day of the range, in order.',
    Report('ActivePlayers', {
      ...activeDays,
      groups: splitGroups('ActivePlayersGroup', activeDays),
    }),
    {
      to: '2026-03-02',
      days: [
        {
          day: '2026-03-01',
          daily: 5120,
          weekly: 16_300,
          monthly: 40_960,
          stickiness: 0.125,
          new_players: 610,
        },
        {
          day: '2026-03-02',
          daily: 4096,
          weekly: 16_120,
          monthly: 40_960,
          stickiness: 0.1,
          new_players: 580,
        },
      ],
      groups: [],
    },
  ),
});

const dayNumbers = <S extends TSchema>(description: string, item: S) =>
  t.Array(item, { description });

const Cohort = t.Resource('RetentionCohort', {
  first_day: t.Day('First day of the cohort.'),
  last_day: t.Day('Last day of the cohort: the same, or the end of its week.'),
  player_count: t.Integer('Players whose first active day is among these.'),
  active: dayNumbers(
    `For each of day 0 to day ${MAX_RETENTION_DAY} after their first day, the number of these players who were active. Null while that day is not over for all of them.`,
    t.Nullable(t.Integer()),
  ),
});

const cohortMembers = {
  cohorts: t.Array(Cohort, { description: 'Cohorts, with and without players.' }),
  average: dayNumbers(
    'For each of day 0 to day 30, the share of active players over all cohorts for which the day is over. Null if there are none.',
    t.Nullable(t.Number()),
  ),
};

export const getRetention = operation(REPORTS.retention.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show how many players return, by the day or week of their first visit',
  description: `A cohort holds the players with the same first active day, or with first active days in the same week, which begins on Monday. Day 1 is the day after the first: a player counts if active on exactly that day. The range selects first active days; a week is cut where the range begins or ends.`,
  query: t.Object({
    ...ReportQuery.properties,
    ...PlayersQuery.properties,
    format: SlowFormat,
    cohort: t.Enum(
      ['day', 'week'],
      'Players of one cohort came for the first time on the same day, or in the same week.',
      { default: 'day' },
    ),
  }),
  answers: slowReportAnswers(
    'Each cohort of the range, in order.',
    Report('Retention', {
      cohort: t.Enum(['day', 'week'], 'Length of the cohorts.'),
      ...cohortMembers,
      groups: splitGroups('RetentionGroup', cohortMembers),
    }),
    {
      to: '2026-03-01',
      cohort: 'day',
      cohorts: [
        {
          first_day: '2026-03-01',
          last_day: '2026-03-01',
          player_count: 610,
          active: [610, 244, 190, null],
        },
      ],
      average: [1, 0.4, 0.311, null],
      groups: [],
    },
  ),
});
