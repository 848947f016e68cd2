import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { ANALYTICS_GROUP, Day, Report, reportAnswer, ReportQuery, Share } from './report.ts';
import { GameId, merge, Nullable, Resource } from '../common.ts';
import { defineOperation } from '../operation.ts';

/** Last day after the first one that retention looks at. */
export const MAX_RETENTION_DAY = 30;

const group = ANALYTICS_GROUP;

const ActiveDay = Resource('ActivePlayersDay', {
  day: Day('The day.'),
  daily: Type.Integer({ description: 'Players who sent an event on this day (DAU).' }),
  weekly: Type.Integer({
    description: 'Players who sent an event on this day or the 6 before (WAU).',
  }),
  monthly: Type.Integer({
    description: 'Players who sent an event on this day or the 29 before (MAU).',
  }),
  stickiness: Share('Daily by monthly: 0.2 means that a player comes every fifth day.'),
  new_players: Type.Integer({ description: 'Players whose first active day it is.' }),
});

export const getActivePlayers = defineOperation({
  id: 'getActivePlayers',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/active-players',
  access: 'viewer',
  group,
  summary: 'Count active and new players by day',
  description:
    'A player is active on a day with at least one event that names the player and happened on it, also when the event arrives later. Today is not over yet: its numbers still rise.',
  params: Type.Object({ game_id: GameId }),
  query: ReportQuery,
  answers: {
    200: reportAnswer({
      description: 'Each day of the range, in order.',
      body: Report('ActivePlayers', {
        days: Type.Array(ActiveDay, { description: 'Each day of the range.' }),
      }),
      example: {
        from: '2026-03-01',
        to: '2026-03-02',
        time_zone: 'Europe/Berlin',
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
      },
    }),
  },
});

const dayNumbers = <S extends TSchema>(description: string, item: S) =>
  Type.Array(item, { description });

const Cohort = Resource('RetentionCohort', {
  first_day: Day('First day of the cohort.'),
  last_day: Day('Last day of the cohort: the same, or the end of its week.'),
  player_count: Type.Integer({
    description: 'Players whose first active day is among these.',
  }),
  active: dayNumbers(
    `How many of them were active so many days after their first: day 0 to day ${MAX_RETENTION_DAY}. Null where that day is not over for all of them.`,
    Nullable(Type.Integer()),
  ),
});

export const getRetention = defineOperation({
  id: 'getRetention',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/retention',
  access: 'viewer',
  group,
  summary: 'Show how many players come back, by the day or week they came first',
  description: `Players are put together by their first active day, or by its week from Monday on. Day 1 is the day after the first: whoever was active on that very day counts, whatever happened between. The range is that of first days; a week is cut where the range begins or ends.`,
  params: Type.Object({ game_id: GameId }),
  query: merge(
    ReportQuery,
    Type.Object({
      cohort: Type.Enum(['day', 'week'], {
        default: 'day',
        description: 'Players of one cohort came first on the same day, or in the same week.',
      }),
    }),
  ),
  answers: {
    200: reportAnswer({
      description: 'Each cohort of the range, in order.',
      body: Report('Retention', {
        cohort: Type.Enum(['day', 'week'], { description: 'What the cohorts are.' }),
        cohorts: Type.Array(Cohort, { description: 'Cohorts, also those without players.' }),
        average: dayNumbers(
          'Of all cohorts for which the day is over, the share of players who were active on it: day 0 to day 30. Null where there are none.',
          Nullable(Type.Number()),
        ),
      }),
      example: {
        from: '2026-03-01',
        to: '2026-03-01',
        time_zone: 'Europe/Berlin',
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
      },
    }),
  },
});
