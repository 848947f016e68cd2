import { Type } from 'typebox';
import type { Static } from 'typebox';
import { JsonObject, Name, Nullable, RateLimitedBody, Resource, Timestamp } from '../common.ts';
import { defineOperation } from '../operation.ts';

/** Most events in one request. */
export const MAX_TRACK_BATCH_SIZE = 100;
/** Largest properties of one event: compact JSON in UTF-8, numbers written without exponents. */
export const MAX_EVENT_PROPERTIES_BYTES = 32 * 1024;
/** Largest event as it is sent, with all its spaces, escapes and unknown fields, in bytes. */
export const MAX_EVENT_BYTES = 256 * 1024;
/** Most entries in `violations` and `warnings`. */
export const MAX_VIOLATIONS = 100;
/** Largest body of a track request that is read, so that a batch too large is told its exact size. */
export const MAX_TRACK_BODY_BYTES = 8 * 1024 * 1024;
/** How long a request is known by its `Idempotency-Key`. */
export const IDEMPOTENCY_DAYS = 7;

export const TrackedEvent = Resource('TrackedEvent', {
  event_name: Name('Identifier of the event, such as `level_complete`.'),
  session_id: Name('Identifier of the current game session.'),
  player_id: Type.Optional(
    Name('Persistent identifier of the player, who exists from the first event that names it.'),
  ),
  properties: Type.Optional(JsonObject('Data of the event, at most 32 KB as compact JSON.')),
  client_timestamp: Type.Optional(
    Timestamp(
      'When it happened by the clock of the client: ISO 8601 with optional fraction and offset (none means UTC), years 1970 to 2100.',
    ),
  ),
});

/** One thing that is wrong with an event of a request. */
export const EventViolation = Resource('EventViolation', {
  index: Type.Integer({ description: 'Place of the event in the request, from 0.' }),
  event_name: Nullable(Type.String({ description: 'Name of the event, null when it has none.' })),
  path: Type.String({
    description: 'The field, such as `properties.price`; empty for the event as a whole.',
  }),
  message: Type.String({ description: 'What is wrong, naming the field.' }),
});

export type EventViolation = Static<typeof EventViolation>;

const Quota = Resource('EventQuota', {
  remaining: Type.Integer({ description: 'Events the game may still send this month.' }),
  limit: Type.Integer({ description: 'Events a month by the tier of the game.' }),
});

const group = 'Events';

export const trackEvents = defineOperation({
  id: 'trackEvents',
  method: 'POST',
  path: '/v1/track',
  access: 'key',
  group,
  summary: 'Send events',
  description: [
    'Stores one event, or a list of 1 to 100. The answer 202 means that they are safely on disk; they appear in timelines and analytics within a second.',
    'A request with any malformed event is refused as a whole, with one entry in `violations` for each thing that is wrong and the first of them as `error`. An optional field that is null counts as absent; fields that are not listed are ignored, but an event may have at most 256 KB with them.',
    'Where the game validates events by schemas, an event that breaks its schema is stored with an entry in `warnings` (mode `warn`), or refuses the request like a malformed one (mode `reject`).',
    'Events count against the monthly quota of the game, over both environments, by UTC calendar months. A request that crosses the quota is accepted up to it: `received` says how many of its events, counted from the first, were stored; the next request answers 429.',
    'With an `Idempotency-Key` header a request can be sent again without storing its events twice: for 7 days a repeat with the same key and body answers as the first did.',
  ].join('\n\n'),
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Chosen by the caller, unique to this request for 7 days among all of its API key and of those that it replaced.',
      }),
    ),
  }),
  body: Type.Union([
    TrackedEvent,
    Type.Array(TrackedEvent, { minItems: 1, maxItems: MAX_TRACK_BATCH_SIZE }),
  ]),
  body_validation: 'handler',
  max_body_bytes: MAX_TRACK_BODY_BYTES,
  example: [
    {
      event_name: 'level_complete',
      session_id: 'a3f1c9d2',
      player_id: 'player-42',
      properties: { level: 7, stars: 3 },
      client_timestamp: '2026-03-01T18:24:05.120Z',
    },
    { event_name: 'shop_opened', session_id: 'a3f1c9d2', player_id: 'player-42' },
  ],
  answers: {
    202: {
      description: 'The events are stored.',
      body: Type.Object({
        received: Type.Integer({ description: 'Number of events accepted.' }),
        quota: Quota,
        warnings: Type.Optional(
          Type.Array(EventViolation, {
            description: 'Events that break their schema, where the game only warns; at most 100.',
          }),
        ),
      }),
      example: { received: 2, quota: { remaining: 99_998, limit: 100_000 } },
    },
    400: {
      description:
        'An event is malformed or, where the game rejects these, breaks its schema; or the body is no JSON, or `Idempotency-Key` was used with another body.',
      body: Type.Object({
        error: Type.String({ description: 'What is wrong: the first of the violations.' }),
        violations: Type.Optional(
          Type.Array(EventViolation, { description: 'All that is wrong; at most 100.' }),
        ),
      }),
      example: {
        error: 'event_name is required',
        violations: [
          {
            index: 0,
            event_name: null,
            path: 'event_name',
            message: 'event_name is required',
          },
        ],
      },
    },
    413: {
      description: 'More than 100 events, or a body of more than 8 MB.',
      body: Type.Object({
        error: Type.String({ description: 'What is wrong, in words.' }),
        limit: Type.Optional(Type.Integer({ description: 'Most events in one request.' })),
        received: Type.Optional(Type.Integer({ description: 'Number of events sent.' })),
      }),
      example: { error: 'A request may hold at most 100 events', limit: 100, received: 101 },
    },
    429: {
      description:
        'The monthly event quota of the game is used up, until the next UTC calendar month; or too many requests in this minute (then `Retry-After` says in how many seconds to try again).',
      body: Type.Union([
        Type.Object({
          error: Type.Literal('Monthly event quota exceeded'),
          quota: Type.Object({
            current: Type.Integer({ description: 'Events stored this month.' }),
            limit: Type.Integer({ description: 'Events a month by the tier of the game.' }),
            remaining: Type.Integer({ description: 'Always 0.' }),
          }),
        }),
        RateLimitedBody,
      ]),
      example: {
        error: 'Monthly event quota exceeded',
        quota: { current: 100_000, limit: 100_000, remaining: 0 },
      },
    },
  },
});
