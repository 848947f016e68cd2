import { Type } from 'typebox';
import { ANALYTICS_GROUP, Day, reportAnswer, SnapshotQuery } from './report.ts';
import { GameId, Resource } from '../common.ts';
import { defineOperation } from '../operation.ts';

/** Days of the overview, today the last. */
export const OVERVIEW_DAYS = 30;

const DayFigures = Resource('DayFigures', {
  day: Day('The day.'),
  active_players: Type.Integer({ description: 'Players who sent an event.' }),
  new_players: Type.Integer({ description: 'Players whose first active day it is.' }),
  session_count: Type.Integer({ description: 'Sessions that began.' }),
  event_count: Type.Integer({ description: 'Events that happened.' }),
});

const exampleDay = {
  day: '2026-03-08',
  active_players: 5120,
  new_players: 610,
  session_count: 9300,
  event_count: 84_200,
};

export const getOverview = defineOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/overview',
  access: 'viewer',
  group: ANALYTICS_GROUP,
  summary: 'Show today against yesterday and last week',
  description: `Figures of today so far, of yesterday, of the same day last week, and of each of the last ${OVERVIEW_DAYS} days. The CSV has these days.`,
  params: Type.Object({ game_id: GameId }),
  query: SnapshotQuery,
  answers: {
    200: reportAnswer({
      description: 'The figures.',
      body: Type.Object({
        time_zone: Type.String({ description: 'Time zone of the game.' }),
        today: DayFigures,
        yesterday: DayFigures,
        last_week: DayFigures,
        quota: Resource('QuotaUsage', {
          used: Type.Integer({
            description: 'Events accepted this UTC calendar month, in both environments.',
          }),
          limit: Type.Integer({ description: 'Events a month by the tier of the game.' }),
        }),
        days: Type.Array(DayFigures, { description: 'The last days, today the last.' }),
      }),
      example: {
        time_zone: 'Europe/Berlin',
        today: exampleDay,
        yesterday: { ...exampleDay, day: '2026-03-07' },
        last_week: { ...exampleDay, day: '2026-03-01' },
        quota: { used: 1_250_000, limit: 10_000_000 },
        days: [exampleDay],
      },
    }),
  },
});
