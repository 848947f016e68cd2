import type { Static } from 'typebox';
import { answer, ErrorWith, RateLimitedBody } from '../answers.ts';
import { IdempotencyHeader } from '../idempotency.ts';
import { operationsIn } from '../operations-in.ts';
import { MAX_FIRST_SESSION_TEXT, SESSION_START } from '../players/first-session.ts';
import { t } from '../schema.ts';

/** The maximum number of events in one request. */
export const MAX_TRACK_BATCH_SIZE = 100;
/**
 * The largest size of an event's properties, in bytes: compact JSON in UTF-8, without exponents in numbers.
 */
export const MAX_EVENT_PROPERTIES_BYTES = 32 * 1024;
/** The largest size of an event as it is sent, with all spaces, escapes and unknown fields, in bytes. */
export const MAX_EVENT_BYTES = 256 * 1024;
/** The maximum number of entries in `violations` and in `warnings`. */
export const MAX_VIOLATIONS = 100;
/**
 * The largest body of a track request that the server reads. It leaves room for batches with too many
 * events, so the answer can name their number.
 */
const MAX_TRACK_BODY_BYTES = 8 * 1024 * 1024;

export const TrackedEvent = t.Resource('TrackedEvent', {
  event_name: t.Name('Identifier of the event, such as `level_complete`.'),
  session_id: t.Name('Identifier of the current game session.'),
  player_id: t.Optional(
    t.Name('Persistent identifier of the player. The first event that names a player makes it.'),
  ),
  properties: t.Optional(t.JsonObject('Data of the event, at most 32 KB as compact JSON.')),
  client_timestamp: t.Optional(
    t.Timestamp(
      'Time of the event by the clock of the client: ISO 8601 with optional seconds, fraction and offset (UTC without one), years 1970 to 2100.',
    ),
  ),
});

/** One error in an event of a request. */
export const EventViolation = t.Resource('EventViolation', {
  index: t.Integer('Index of the event in the request, from 0.'),
  event_name: t.Nullable(t.String('Name of the event, null when it has none.')),
  path: t.String('The field, such as `properties.price`; empty for the event as a whole.'),
  message: t.String('The problem in words, which name the field.'),
});

export type EventViolation = Static<typeof EventViolation>;

const RefusedEvent = ErrorWith({
  index: t.Optional(t.Integer('Index of the first event that is refused, from 0.')),
});

const Quota = t.Resource('EventQuota', {
  remaining: t.Integer('Events the game may still send this month.'),
  limit: t.Integer('Events a month by the tier of the game.'),
});

const operation = operationsIn('Events');

export const trackEvents = operation('POST /v1/track', {
  access: 'key',
  summary: 'Send events',
  description: [
    'Stores one event, or a list of 1 to 100. The answer 202 means that the events are safely on disk; they appear in timelines and analytics within a second.',
    'One malformed event makes the whole request be refused, with one entry in `violations` for each error and the first of them as `error`. An optional field that is null counts as absent. Unknown fields are ignored, but an event may have at most 256 KB with them.',
    'If the game validates events by schemas, an event that breaks its schema is stored with an entry in `warnings` (mode `warn`), or makes the request be refused like a malformed event (mode `reject`).',
    'With `x-player-token` all events that name a player must name the one of the token. Events that name nobody are stored in any case.',
    `The first \`${SESSION_START}\` of a player with \`platform\`, \`app_version\` or \`country\` (cut after ${MAX_FIRST_SESSION_TEXT} characters) gives the player the properties \`platform\`, \`first_version\` and \`country\`, by which reports are filtered and split. Properties that the player already has are kept, and \`first_version\` is given only within a day after the player was first seen.`,
    'Events of both environments count against the monthly quota of the game, by UTC calendar months. A request that crosses the quota is accepted in part: `received` says how many of its events, from the first on, were stored. The next request answers 429.',
    'With an `Idempotency-Key` header a request can be sent again without storing its events twice: for 7 days a repeat with the same key and body gets the answer of the first request.',
  ].join('\n\n'),
  headers: IdempotencyHeader,
  body: t.Union([
    TrackedEvent,
    t.Array(TrackedEvent, { minItems: 1, maxItems: MAX_TRACK_BATCH_SIZE }),
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
    202: answer(
      'The events are stored.',
      t.Object({
        received: t.Integer('Number of events accepted.'),
        quota: Quota,
        warnings: t.Optional(
          t.Array(EventViolation, {
            description: 'Events that break their schema, if the game only warns; at most 100.',
          }),
        ),
      }),
      { received: 2, quota: { remaining: 99_998, limit: 100_000 } },
    ),
    400: answer(
      'An event is malformed, or breaks its schema and the game rejects such events; or the body is no JSON, or `Idempotency-Key` was used with another body.',
      t.Object({
        error: t.String('The first of the violations.'),
        message: t.Optional(
          t.String(
            'A hint to send the list itself, if the body is an object with the events in a member `events`.',
          ),
        ),
        violations: t.Optional(
          t.Array(EventViolation, { description: 'All errors; at most 100.' }),
        ),
      }),
      {
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
    ),
    401: answer(
      'The API key is missing or invalid; or the player token is invalid, expired or of another game; or an event names a player whose token the game asks for. Nothing was stored.',
      RefusedEvent,
      { error: 'Missing x-player-token header', index: 0 },
    ),
    403: answer(
      'An event names another player than the player token, or a page sent a server key. Nothing was stored.',
      RefusedEvent,
      { error: 'This player token belongs to another player', index: 1 },
    ),
    413: answer(
      'More than 100 events, or a body of more than 8 MB.',
      t.Object({
        error: t.String('The problem in words.'),
        limit: t.Optional(t.Integer('Largest number of events in one request.')),
        received: t.Optional(t.Integer('Number of events sent.')),
      }),
      { error: 'A request may hold at most 100 events', limit: 100, received: 101 },
    ),
    429: answer(
      'The monthly event quota of the game, or the share of it that the environment of the key may use, is used up until the next UTC calendar month; or there were too many requests in this minute (then `Retry-After` says in how many seconds to try again).',
      t.Union([
        t.Object({
          error: t.Literal('Monthly event quota exceeded'),
          message: t.Optional(
            t.String(
              'Says so if the environment of the key has used up its share of the quota. Then `quota` is about this share.',
            ),
          ),
          quota: t.Object({
            current: t.Integer('Events stored this month.'),
            limit: t.Integer('Events a month by the tier of the game.'),
            remaining: t.Integer('Always 0.'),
          }),
        }),
        RateLimitedBody,
      ]),
      {
        error: 'Monthly event quota exceeded',
        quota: { current: 100_000, limit: 100_000, remaining: 0 },
      },
    ),
  },
});
