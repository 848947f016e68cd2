import { answer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  EVENT_PROBLEM_DAYS,
  MAX_LISTED_PROBLEMS,
  MAX_PROBLEMS_OF_KEY,
  MAX_SAMPLE_LENGTH,
} from './problem-limits.ts';

const operation = operationsIn('Event schemas');

export const listEventProblems = operation('GET /v1/games/{game_id}/event-problems', {
  access: 'developer',
  summary: 'List the kinds of problems of events',
  description: [
    'Events that were refused because they are malformed or break their schema, and events that were stored with a warning, grouped by API key, event name, field and problem. Events that the quota or a missing player token refused are not among them.',
    `A kind is kept for ${EVENT_PROBLEM_DAYS} days after its last event. Each key has at most ${MAX_PROBLEMS_OF_KEY} kinds: if it has more, the ones of the last day with the most events stay. The answer has at most ${MAX_LISTED_PROBLEMS} kinds, those with the newest events first.`,
    'Kinds are collected in memory and written every two seconds: a crash loses the last ones. Archives and forks of a game leave them out, and the erasure of a player removes the samples that name the player.',
  ].join('\n\n'),
  query: t.Object({
    ...EnvironmentQuery.properties,
    key_id: t.Optional(t.Uuid('Only events that were sent with this API key.')),
  }),
  answers: {
    200: answer(
      'The kinds of problems.',
      t.Object({
        problems: t.Array(
          t.Resource('EventProblem', {
            key_id: t.Uuid('Id of the API key.'),
            key_name: t.Nullable(t.String('Name of the key; null if the key was deleted.')),
            kind: t.Enum(['refused', 'warned'], 'Whether the events were refused or stored.'),
            event_name: t.Nullable(t.String('Name of the events; null if they have none.')),
            path: t.String(
              'The field, such as `properties.price`; `[]` stands for every entry of a list. Empty for the event as a whole.',
            ),
            message: t.String('The problem in words, which name the field.'),
            event_count: t.Integer('Events of this kind since `first_at`.'),
            first_at: t.Timestamp('When the first of them was noted.'),
            last_at: t.Timestamp('When the last of them was noted.'),
            sample: t.Nullable(
              t.String(
                `One of the newest of these events as compact JSON, cut after ${MAX_SAMPLE_LENGTH} characters; null if none is kept, as for events that are too large to be read.`,
              ),
            ),
            player_id: t.Nullable(t.String('The player whom the sample names.')),
          }),
        ),
      }),
      {
        problems: [
          {
            key_id: '3f0c8a52-7a39-4c8e-9a44-2a0f5d7b1c11',
            key_name: 'Android 1.5.0',
            kind: 'refused',
            event_name: 'level_complete',
            path: 'properties.level',
            message: 'properties.level must be a whole number',
            event_count: 412,
            first_at: '2026-03-01T09:12:44.310Z',
            last_at: '2026-03-01T18:24:05.120Z',
            sample:
              '{"event_name":"level_complete","session_id":"a3f1c9d2","player_id":"player-42","properties":{"level":"seven"}}',
            player_id: 'player-42',
          },
        ],
      },
    ),
  },
});
