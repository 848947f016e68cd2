import { answer, errorAnswer, ErrorWith, notFoundInGame, pageAnswer, UsedBy } from '../answers.ts';
import { GameId, IfNoneMatch, PageQuery } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

/** Largest event schema, as compact JSON in UTF-8. */
export const MAX_EVENT_SCHEMA_BYTES = 16 * 1024;
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

export const listEventSchemas = operation('GET /v1/games/{game_id}/event-schemas', {
  access: 'viewer',
  summary: 'List event schemas',
  description: 'By event name. Both environments share the schemas.',
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of event schemas.', 'event_schemas', EventSchema, example),
  },
});

export const putEventSchema = operation('PUT /v1/games/{game_id}/event-schemas/{event_name}', {
  access: 'developer',
  params: t.Object({ game_id: GameId, event_name: t.NewName('Name of the event.') }),
  summary: 'Set the schema of an event',
  description: [
    'Sets the schema of the `properties` of events of this name; absent properties are checked as `{}`. Events without a schema are not checked. The `event_validation` of the game, or `development_event_validation` in development, decides about events that break their schema: `off` (nothing is checked), `warn` or `reject`.',
    'The language is a safe subset of JSON Schema: `type`, `properties`, `required`, `enum`, `minimum`, `maximum`, `minLength`, `maxLength`, `items` (one schema for all entries) and `additionalProperties`, with their meaning in JSON Schema 2020-12. Any other keyword is refused with its path.',
    'A property that the schema stated before can be left out or renamed only if no dashboard, saved report, draft or running experiment uses it, and no revenue settings do.',
    'A schema has at most 16 KB and 16 levels of nested schemas. The number of schemas is one of the limits of a game.',
  ].join('\n\n'),
  headers: IfNoneMatch('schema of this event'),
  body: t.Object({ schema: t.JsonObject('JSON Schema of the `properties` of these events.') }),
  example: { schema: example.schema },
  answers: {
    200: answer('The schema is set.', EventSchema, example),
    400: errorAnswer(
      'A field is missing or invalid, or the schema is not in the language; `error` names the place.',
      'schema.properties.item.pattern is not supported',
    ),
    403: limitReached(
      'The role does not allow it, or the game has reached its limit.',
      'event_schemas',
    ),
    409: answer(
      '`If-None-Match: *` was sent, and the event has a schema. Or the schema leaves out a property that dashboards, saved reports, experiments or the revenue settings use; `used_by` names them and the property. Nothing was changed.',
      ErrorWith({ used_by: t.Optional(UsedBy) }),
      { error: 'event_name has a schema already' },
    ),
  },
});

export const deleteEventSchema = operation(
  'DELETE /v1/games/{game_id}/event-schemas/{event_name}',
  {
    access: 'developer',
    summary: 'Delete the schema of an event',
    description: 'Events of this name are no longer checked.',
    answers: {
      204: { description: 'The schema is deleted.' },
      404: notFoundInGame('event schema'),
    },
  },
);
