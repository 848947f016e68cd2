import { Type } from 'typebox';
import {
  EnvironmentQuery,
  errorAnswer,
  GameId,
  IfNoneMatch,
  JsonObject,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
} from '../common.ts';
import { LIMIT_REACHED, limitReached } from '../limits.ts';
import { defineOperation } from '../operation.ts';

/** Largest event schema, as compact JSON in UTF-8. */
export const MAX_EVENT_SCHEMA_BYTES = 16 * 1024;
/** How many of the newest events a schema is tried on. */
export const MAX_TRIED_EVENTS = 500;
/** Most failures in the answer to such a trial. */
export const MAX_TRIAL_FAILURES = 20;
/** Deepest nesting of schemas in schemas. */
export const MAX_EVENT_SCHEMA_DEPTH = 16;

const group = 'Event schemas';

const EventSchema = Resource('EventSchema', {
  event_name: Type.String({ description: 'Name of the events that the schema is for.' }),
  schema: JsonObject('JSON Schema of the `properties` of these events.'),
  updated_at: Timestamp('When the schema was last set.'),
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

const params = Type.Object({ game_id: GameId, event_name: Name('Name of the event.') });

export const listEventSchemas = defineOperation({
  id: 'listEventSchemas',
  method: 'GET',
  path: '/v1/games/{game_id}/event-schemas',
  access: 'viewer',
  group,
  summary: 'List event schemas',
  description: 'Event schemas of the game, shared by both environments, by event name.',
  params: Type.Object({ game_id: GameId }),
  query: PageQuery,
  answers: {
    200: {
      description: 'A page of event schemas.',
      body: PageOf('event_schemas', EventSchema),
      example: { event_schemas: [example], next_cursor: null },
    },
  },
});

export const putEventSchema = defineOperation({
  id: 'putEventSchema',
  method: 'PUT',
  path: '/v1/games/{game_id}/event-schemas/{event_name}',
  access: 'developer',
  group,
  summary: 'Set the schema of an event',
  description: [
    'Sets what `properties` of events of this name must look like; absent properties are checked as `{}`. Events without a schema are not checked. What happens to events that break theirs is the `event_validation` of the game: `off` (nothing is checked), `warn` or `reject`.',
    'The language is a safe subset of JSON Schema: `type`, `properties`, `required`, `enum`, `minimum`, `maximum`, `minLength`, `maxLength`, `items` (one schema for all entries) and `additionalProperties`, with their meaning in JSON Schema 2020-12. Any other keyword is refused by its path.',
    'A schema has at most 16 KB and 16 levels of schemas in schemas. How many a game may have is one of its limits.',
  ].join('\n\n'),
  params,
  headers: IfNoneMatch('schema of this event'),
  body: Type.Object({ schema: JsonObject('JSON Schema of the `properties` of these events.') }),
  example: { schema: example.schema },
  answers: {
    200: { description: 'The schema is set.', body: EventSchema, example },
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

export const deleteEventSchema = defineOperation({
  id: 'deleteEventSchema',
  method: 'DELETE',
  path: '/v1/games/{game_id}/event-schemas/{event_name}',
  access: 'developer',
  group,
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
});

export const testEventSchema = defineOperation({
  id: 'testEventSchema',
  method: 'POST',
  path: '/v1/games/{game_id}/event-schemas/{event_name}/test',
  access: 'developer',
  group,
  summary: 'Try a schema on recent events',
  description: `Checks the newest ${MAX_TRIED_EVENTS} events of this name in one environment by the schema in the body, which is not stored. Nothing is changed.`,
  params,
  query: EnvironmentQuery,
  body: Type.Object({ schema: JsonObject('JSON Schema of the `properties` of these events.') }),
  example: { schema: example.schema },
  answers: {
    200: {
      description: 'What the schema would say of them.',
      body: Resource('EventSchemaTrial', {
        tested: Type.Integer({ description: 'Events that were checked.' }),
        passed: Type.Integer({ description: 'Those of them that keep to the schema.' }),
        failures: Type.Array(
          Type.Object({
            event_id: Type.Integer({ description: 'Identifies the event within its game.' }),
            player_id: Nullable(Type.String({ description: 'The player that it names.' })),
            received_at: Timestamp('When it was received.'),
            path: Type.String({ description: 'The field, such as `properties.price`.' }),
            message: Type.String({ description: 'What is wrong first, naming the field.' }),
          }),
          {
            description: `The newest events that break the schema, ${MAX_TRIAL_FAILURES} at most, each with the first thing that is wrong.`,
          },
        ),
      }),
      example: {
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
    },
    400: errorAnswer(
      'A field is missing or invalid, or the schema is not in the language; `error` names the place.',
      'schema.properties.item.pattern is not supported',
    ),
  },
});
