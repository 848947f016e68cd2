import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentQuery, GameId, GameParams, IfNoneMatch, PageQuery } from '../common.ts';
import { LIMIT_REACHED, limitReached } from '../limits.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';

/** Largest event schema, as compact JSON in UTF-8. */
export const MAX_EVENT_SCHEMA_BYTES = 16 * 1024;
/** How many of the newest events a schema is tried on. */
export const MAX_TRIED_EVENTS = 500;
/** Most failures in the answer to such a trial. */
export const MAX_TRIAL_FAILURES = 20;
/** Deepest nesting of schemas in schemas. */
export const MAX_EVENT_SCHEMA_DEPTH = 16;

const operation = operationsIn('Event schemas');

const EventSchema = t.Resource('EventSchema', {
  event_name: t.String('Name of the events that the schema is for.'),
  schema: t.JsonObject('JSON Schema of the `properties` of these events.'),
  updated_at: t.Timestamp('When the schema was last set.'),
});

const example = {
  event_name: 'purchase',
  schema: {
    type: 'object',
    required: ['item', 'price'],
    properties: {
      item: { type: 'string', minLength: 1, maxLength: 64 },
      price: { type: 'number', minimum: 0 },
      currency: { enum: ['EUR', 'USD'] },
    },
    additionalProperties: false,
  },
  updated_at: '2026-03-01T18:24:05.120Z',
};

const params = t.Object({ game_id: GameId, event_name: t.Name('Name of the event.') });

export const listEventSchemas = operation('GET /v1/games/{game_id}/event-schemas', {
  id: 'listEventSchemas',
  access: 'viewer',
  summary: 'List event schemas',
  description: 'Event schemas of the game, shared by both environments, by event name.',
  params: GameParams,
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of event schemas.', 'event_schemas', EventSchema, example),
  },
});

export const putEventSchema = operation('PUT /v1/games/{game_id}/event-schemas/{event_name}', {
  id: 'putEventSchema',
  access: 'developer',
  summary: 'Set the schema of an event',
  description: [
    'Sets what `properties` of events of this name must look like; absent properties are checked as `{}`. Events without a schema are not checked. What happens to events that break theirs is the `event_validation` of the game: `off` (nothing is checked), `warn` or `reject`.',
    'The language is a safe subset of JSON Schema: `type`, `properties`, `required`, `enum`, `minimum`, `maximum`, `minLength`, `maxLength`, `items` (one schema for all entries) and `additionalProperties`, with their meaning in JSON Schema 2020-12. Any other keyword is refused by its path.',
    'A schema has at most 16 KB and 16 levels of schemas in schemas. How many a game may have is one of its limits.',
  ].join('\n\n'),
  params,
  headers: IfNoneMatch('schema of this event'),
  body: t.Object({ schema: t.JsonObject('JSON Schema of the `properties` of these events.') }),
  example: { schema: example.schema },
  answers: {
    200: answer('The schema is set.', EventSchema, example),
    400: errorAnswer(
      'A field is missing or invalid, or the schema is not in the language; `error` names the place.',
      'schema.properties.item.pattern is not supported',
    ),
    403: limitReached('The role does not allow it, or the game has as many as it may have.', {
      error:
        'This game has reached its limit of 500 event schemas: delete one, or ask an administrator of this installation for more',
      code: LIMIT_REACHED,
      resource: 'event_schemas',
      limit: 500,
      used: 500,
    }),
    409: errorAnswer(
      '`If-None-Match: *` was sent, and the event has a schema. Nothing was changed.',
      'event_name has a schema already',
    ),
  },
});

export const deleteEventSchema = operation(
  'DELETE /v1/games/{game_id}/event-schemas/{event_name}',
  {
    id: 'deleteEventSchema',
    access: 'developer',
    summary: 'Delete the schema of an event',
    description: 'Events of this name are no longer checked.',
    params,
    answers: {
      204: { description: 'The schema is deleted.' },
      404: errorAnswer(
        'The game or the schema does not exist, or the account is no member of the game.',
        'Event schema not found',
      ),
    },
  },
);

export const testEventSchema = operation(
  'POST /v1/games/{game_id}/event-schemas/{event_name}/test',
  {
    id: 'testEventSchema',
    access: 'developer',
    summary: 'Try a schema on recent events',
    description: `Checks the newest ${MAX_TRIED_EVENTS} events of this name in one environment by the schema in the body, which is not stored. Nothing is changed.`,
    params,
    query: EnvironmentQuery,
    body: t.Object({ schema: t.JsonObject('JSON Schema of the `properties` of these events.') }),
    example: { schema: example.schema },
    answers: {
      200: answer(
        'What the schema would say of them.',
        t.Resource('EventSchemaTrial', {
          tested: t.Integer('Events that were checked.'),
          passed: t.Integer('Those of them that keep to the schema.'),
          failures: t.Array(
            t.Object({
              event_id: t.Integer('Identifies the event within its game.'),
              player_id: t.Nullable(t.String('The player that it names.')),
              received_at: t.Timestamp('When it was received.'),
              path: t.String('The field, such as `properties.price`.'),
              message: t.String('What is wrong first, naming the field.'),
            }),
            {
              description: `The newest events that break the schema, ${MAX_TRIAL_FAILURES} at most, each with the first thing that is wrong.`,
            },
          ),
        }),
        {
          tested: 500,
          passed: 499,
          failures: [
            {
              event_id: 12_928,
              player_id: 'player-42',
              received_at: '2026-03-01T18:24:05.120Z',
              path: 'properties.price',
              message: 'properties.price must be a number',
            },
          ],
        },
      ),
      400: errorAnswer(
        'A field is missing or invalid, or the schema is not in the language; `error` names the place.',
        'schema.properties.item.pattern is not supported',
      ),
    },
  },
);
