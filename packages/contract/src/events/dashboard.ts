import { answer, pageAnswer } from '../answers.ts';
import { EnvironmentName, EnvironmentPageQuery } from '../common.ts';
import { LimitUses, limitUsesExample } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Events (dashboard)');

export const StoredEvent = t.Resource('Event', {
  id: t.Integer('Unique among the events of the game with its `received_at`.'),
  event_name: t.String('Identifier of the event.'),
  session_id: t.String('Session it belongs to.'),
  player_id: t.Nullable(t.String('Player whom it names; null if it names none.')),
  properties: t.JsonObject('Data of the event; empty if none was sent.'),
  client_timestamp: t.Nullable(
    t.Timestamp('Time by the clock of the client, as it was sent; null if none was sent.'),
  ),
  occurred_at: t.Timestamp(
    'Time for analytics: `client_timestamp` if it lies between 90 days before and 1 hour after receipt, otherwise the time of receipt.',
  ),
  received_at: t.Timestamp('When the server accepted the event.'),
});

export const eventExample = {
  id: 12_928,
  event_name: 'level_complete',
  session_id: 'a3f1c9d2',
  player_id: 'player-42',
  properties: { level: 7, stars: 3 },
  client_timestamp: '2026-03-01T18:24:05.120Z',
  occurred_at: '2026-03-01T18:24:05.120Z',
  received_at: '2026-03-01T18:24:05.391Z',
};

export const listEvents = operation('GET /v1/games/{game_id}/events', {
  access: 'viewer',
  summary: 'List the newest events of a game',
  description:
    'Events of one environment, the latest first, page by page. Events that were accepted before this request are in the list.',
  query: t.Object({
    ...EnvironmentPageQuery.properties,
    event_name: t.Optional(t.Name('Only events of this name.')),
    player_id: t.Optional(t.Name('Only events of this player.')),
  }),
  answers: {
    200: pageAnswer('A page of events.', 'events', StoredEvent, eventExample),
  },
});

const Month = t.String('UTC calendar month, such as `2026-03`.');

export const getUsage = operation('GET /v1/games/{game_id}/usage', {
  access: 'viewer',
  summary: 'Show the use of the event quota and of other limits',
  description:
    'Events of this UTC calendar month, by environment and API key, and the totals of the twelve months before. The quota counts both environments, and so do the storage limits.',
  answers: {
    200: answer(
      'Usage of this month and the twelve before.',
      t.Object({
        month: Month,
        used: t.Integer('Events accepted this month.'),
        limit: t.Integer('Events a month by the tier of the game.'),
        remaining: t.Integer('Events the game may still send this month.'),
        environments: t.Object(
          {
            development: t.Integer('Events in development.'),
            production: t.Integer('Events in production.'),
          },
          { description: 'Events of this month by environment.' },
        ),
        keys: t.Array(
          t.Object({
            key_id: t.Uuid('Id of the API key.'),
            name: t.Nullable(t.String('Null when the key no longer exists.')),
            environment: EnvironmentName,
            event_count: t.Integer('Events of this month sent with the key.'),
          }),
          { description: 'API keys that sent events this month, the busiest first.' },
        ),
        history: t.Array(
          t.Object({
            month: Month,
            used: t.Integer('Events accepted in the month.'),
            limit: t.Integer(
              'The quota in that month; the present quota for a month without events.',
            ),
          }),
          { description: 'The twelve months before, the latest first.' },
        ),
        limits: LimitUses,
      }),
      {
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
    ),
  },
});
