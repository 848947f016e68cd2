import { Type } from 'typebox';
import {
  EnvironmentName,
  EnvironmentQuery,
  GameId,
  JsonObject,
  merge,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
  Uuid,
} from '../common.ts';
import { LimitUses, limitUsesExample } from '../limits.ts';
import { defineOperation } from '../operation.ts';

const dashboardGroup = 'Events (dashboard)';

export const StoredEvent = Resource('Event', {
  id: Type.Integer({ description: 'Unique among the events of the game with its `received_at`.' }),
  event_name: Type.String({ description: 'Identifier of the event.' }),
  session_id: Type.String({ description: 'Session it belongs to.' }),
  player_id: Nullable(
    Type.String({ description: 'Player it is about; null when none was named.' }),
  ),
  properties: JsonObject('Data of the event; empty when it was sent without.'),
  client_timestamp: Nullable(
    Timestamp('Time by the clock of the client, as it was sent; null when it sent none.'),
  ),
  occurred_at: Timestamp(
    'Time for analytics: `client_timestamp` where it lies between 90 days before and 1 hour after receipt, else the receipt.',
  ),
  received_at: Timestamp('When the server accepted the event.'),
});

export const listEvents = defineOperation({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/games/{game_id}/events',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'List the newest events of a game',
  description:
    'Events of one environment, the last received first, page by page. Events accepted before this request are in it.',
  params: Type.Object({ game_id: GameId }),
  query: merge(
    merge(EnvironmentQuery, PageQuery),
    Type.Object({
      event_name: Type.Optional(Name('Only events of this name.')),
      player_id: Type.Optional(Name('Only events of this player.')),
    }),
  ),
  answers: {
    200: {
      description: 'A page of events.',
      body: PageOf('events', StoredEvent),
      example: {
        events: [
          {
            id: 12_928,
            event_name: 'level_complete',
            session_id: 'a3f1c9d2',
            player_id: 'player-42',
            properties: { level: 7, stars: 3 },
            client_timestamp: '2026-03-01T18:24:05.120Z',
            occurred_at: '2026-03-01T18:24:05.120Z',
            received_at: '2026-03-01T18:24:05.391Z',
          },
        ],
        next_cursor: null,
      },
    },
  },
});

const Month = Type.String({ description: 'UTC calendar month, such as `2026-03`.' });

export const getUsage = defineOperation({
  id: 'getUsage',
  method: 'GET',
  path: '/v1/games/{game_id}/usage',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Show how much of the event quota and of other limits is used',
  description:
    'Events of this UTC calendar month against the quota, by environment and API key, and the totals of the twelve months before. Quota counts both environments, and so do the limits of what the game stores.',
  params: Type.Object({ game_id: GameId }),
  answers: {
    200: {
      description: 'Usage of this month and the twelve before.',
      body: Type.Object({
        month: Month,
        used: Type.Integer({ description: 'Events accepted this month.' }),
        limit: Type.Integer({ description: 'Events a month by the tier of the game.' }),
        remaining: Type.Integer({ description: 'Events the game may still send this month.' }),
        environments: Type.Object(
          {
            development: Type.Integer({ description: 'Events in development.' }),
            production: Type.Integer({ description: 'Events in production.' }),
          },
          { description: 'Events of this month by environment.' },
        ),
        keys: Type.Array(
          Type.Object({
            key_id: Uuid('Id of the API key.'),
            name: Nullable(Type.String({ description: 'Null when the key no longer exists.' })),
            environment: EnvironmentName,
            event_count: Type.Integer({ description: 'Events of this month sent with the key.' }),
          }),
          { description: 'API keys that sent events this month, the busiest first.' },
        ),
        history: Type.Array(
          Type.Object({
            month: Month,
            used: Type.Integer({ description: 'Events accepted in the month.' }),
            limit: Type.Integer({
              description: 'The quota at the time; the present one for a month without events.',
            }),
          }),
          { description: 'The twelve months before, the latest first.' },
        ),
        limits: LimitUses,
      }),
      example: {
        month: '2026-03',
        used: 41_250,
        limit: 100_000,
        remaining: 58_750,
        environments: { development: 1_250, production: 40_000 },
        keys: [
          {
            key_id: '3f0c8a52-7a39-4c8e-9a44-2a0f5d7b1c11',
            name: 'Live build',
            environment: 'production',
            event_count: 40_000,
          },
          {
            key_id: '9b1de0c4-44f1-4f0e-8a6a-5f7a1e3c2d10',
            name: 'Test build',
            environment: 'development',
            event_count: 1_250,
          },
        ],
        history: [{ month: '2026-02', used: 38_112, limit: 100_000 }],
        limits: limitUsesExample,
      },
    },
  },
});
