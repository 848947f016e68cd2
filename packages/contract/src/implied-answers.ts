import {
  answer,
  badRequest,
  errorAnswer,
  ErrorBody,
  notFoundInGame,
  RateLimitedBody,
} from './answers.ts';
import {
  isForOwnPages,
  isRole,
  MAX_BODY_BYTES,
  MAX_STRANGER_BODY_BYTES,
  maxBodyBytes,
  takesKey,
  takesServerKey,
} from './operation.ts';
import type { Answer, Operation } from './operation.ts';
import { thingOf } from './path-parameters.ts';
import { t } from './schema.ts';

/**
 * Answers of every operation with the same access or the same kind of parameters. Each is keyed by its name
 * in the API description.
 */
export const IMPLIED_ANSWERS = {
  BadRequest: badRequest('player_id is required'),
  Malformed: errorAnswer(
    'The request is malformed: it has several `Host` headers, or a body with a malformed `Content-Type`.',
    'Content-Type must be application/json',
  ),
  InvalidApiKey: errorAnswer(
    'The API key is missing or invalid; or the player token is invalid, expired, of another game, or missing where the game asks for one.',
    'Invalid API key',
  ),
  NoServerKey: errorAnswer(
    'The key is no server key; or a page sent it.',
    'Only a server key may make this call',
  ),
  OtherPlayer: errorAnswer(
    'The player token belongs to another player, or a page sent a server key.',
    'This player token belongs to another player',
  ),
  InvalidToken: errorAnswer('The token is missing, invalid or expired.', 'Token expired'),
  Forbidden: errorAnswer(
    'The account is locked (`code` ACCOUNT_LOCKED) or pending (`code` ACCOUNT_PENDING), must set up a second factor first (`code` SECOND_FACTOR_SETUP_REQUIRED), or lacks the role; an access token may not make the call; or the request comes from a page of another site.',
    'This needs the role developer; yours in this game is viewer',
  ),
  OtherSite: errorAnswer(
    'The request comes from a page of another site.',
    'The request comes from a page of another site. If it is a page of this server, set PUBLIC_URL to the address that you see in the browser',
  ),
  GameNotFound: errorAnswer(
    'The game does not exist, or the account is no member of it.',
    'Game not found',
  ),
  BodyTooLarge: errorAnswer(
    `The body has more than ${MAX_BODY_BYTES / 1024 ** 2} MB.`,
    'The request body is too large',
  ),
  StrangerBodyTooLarge: errorAnswer(
    `The body has more than ${MAX_STRANGER_BODY_BYTES / 1024} KB.`,
    'The request body is too large',
  ),
  BodyCompressed: errorAnswer(
    'The body is compressed.',
    'The request body must not be compressed: send it as plain JSON, without Content-Encoding',
  ),
  RateLimited: {
    description:
      'Too many requests in this minute: of the caller, or past a rate limit that the game has set for a player or a network. `Retry-After` and `X-RateLimit-Reset` say in how many seconds to try again.',
    headers: t.Object({
      'X-RateLimit-Limit': t.Integer('Requests allowed in a minute.'),
      'X-RateLimit-Remaining': t.Integer('Requests left in this minute.'),
      'X-RateLimit-Reset': t.Integer('Seconds until the minute is over.'),
      'Retry-After': t.Integer('Seconds to wait.'),
    }),
    body: RateLimitedBody,
    example: {
      error: 'Too Many Requests',
      statusCode: 429,
      message: 'Rate limit exceeded, retry in 60 seconds',
    },
  },
  ServerError: answer(
    'Unexpected server error. The log of the server has its `request_id`.',
    ErrorBody,
    {
      error: 'Something went wrong on our side',
      request_id: 'b1946ac9-2fd1-4d3c-8f5f-0d6c1b0a9c11',
    },
  ),
  Unavailable: errorAnswer(
    'The server is overloaded, or the database is away; `Retry-After` says when to try again.',
    'The server is overloaded, try again in a second',
  ),
} satisfies Record<string, Answer>;

/**
 * Returns all answers of an operation: those that the operation itself states, and the implied answers that
 * follow from its access, parameters and body.
 */
export function allAnswers(operation: Operation): Record<number, Answer> {
  const { access, method, params, query, body, path } = operation;
  const implied: Record<number, Answer> = {};
  const hasFields = params || query || body || isForOwnPages(operation);
  implied[400] = hasFields ? IMPLIED_ANSWERS.BadRequest : IMPLIED_ANSWERS.Malformed;
  if (takesKey(operation) || takesServerKey(operation)) {
    implied[401] = IMPLIED_ANSWERS.InvalidApiKey;
  } else if (access !== 'anyone') {
    implied[401] = IMPLIED_ANSWERS.InvalidToken;
  }
  if (access === 'key') implied[403] = IMPLIED_ANSWERS.OtherPlayer;
  else if (access === 'server_key') implied[403] = IMPLIED_ANSWERS.NoServerKey;
  else if (access !== 'anyone') implied[403] = IMPLIED_ANSWERS.Forbidden;
  else if (isForOwnPages(operation)) implied[403] = IMPLIED_ANSWERS.OtherSite;
  if (isRole(access) && path.includes('{game_id}')) {
    const thing = thingOf(path);
    implied[404] = thing === undefined ? IMPLIED_ANSWERS.GameNotFound : notFoundInGame(thing);
  }
  // A body that the operation does not read has a limit too.
  if (method !== 'GET') implied[413] = bodyTooLarge(operation);
  if (body) implied[415] = IMPLIED_ANSWERS.BodyCompressed;
  if (operation.rate_limited !== false) implied[429] = IMPLIED_ANSWERS.RateLimited;
  implied[500] = IMPLIED_ANSWERS.ServerError;
  implied[503] = IMPLIED_ANSWERS.Unavailable;
  return { ...implied, ...operation.answers };
}

function bodyTooLarge(operation: Operation): Answer {
  const bytes = maxBodyBytes(operation);
  if (bytes === MAX_BODY_BYTES) return IMPLIED_ANSWERS.BodyTooLarge;
  if (bytes === MAX_STRANGER_BODY_BYTES) return IMPLIED_ANSWERS.StrangerBodyTooLarge;
  return errorAnswer(`The body has more than ${bytes / 1024} KB.`, 'The request body is too large');
}
