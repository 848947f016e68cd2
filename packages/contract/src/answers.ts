import { ErrorBody, errorAnswer, RateLimitedBody } from './common.ts';
import { ROLES } from './operation.ts';
import type { Answer, Operation } from './operation.ts';

/** 400: `error` names the field. */
const badRequest = errorAnswer(
  'A field is missing or invalid; `error` names it.',
  'player_id is required',
);

const rateLimited: Answer = {
  description:
    'Too many requests in this minute. `Retry-After` and `X-RateLimit-Reset` say in how many seconds to try again.',
  body: RateLimitedBody,
  example: {
    error: 'Too Many Requests',
    statusCode: 429,
    message: 'Rate limit exceeded, retry in 60 seconds',
  },
};

/** Every answer an operation can give: those it states, and those that follow from its kind. */
export function allAnswers(operation: Operation): Record<number, Answer> {
  const { access, params, query, body, path } = operation;
  const byRole = (ROLES as readonly string[]).includes(access);
  const implied: Record<number, Answer> = {};
  if (params || query || body) implied[400] = badRequest;
  if (access === 'key' || access === 'key_or_account') {
    implied[401] = errorAnswer('The API key is missing or invalid.', 'Invalid API key');
  } else if (access !== 'anyone') {
    implied[401] = errorAnswer('The token is missing, invalid or expired.', 'Token expired');
  }
  if (access !== 'anyone' && access !== 'key') {
    implied[403] = errorAnswer(
      'The account is locked (`code` ACCOUNT_LOCKED), pending (`code` ACCOUNT_PENDING), or its role does not allow this.',
      'This needs the role developer; yours in this game is viewer',
    );
  }
  if (byRole && path.includes('{game_id}')) {
    implied[404] = errorAnswer(
      'The game does not exist, or the account is no member of it.',
      'Game not found',
    );
  }
  if (body) implied[413] = errorAnswer('The body is too large.', 'The request body is too large');
  implied[429] = rateLimited;
  implied[500] = {
    description: 'Unexpected server error.',
    body: ErrorBody,
    example: {
      error: 'Something went wrong on our side',
      request_id: 'b1946ac9-2fd1-4d3c-8f5f-0d6c1b0a9c11',
    },
  };
  implied[503] = errorAnswer(
    'Overloaded, or the database is away; `Retry-After` says when to try again.',
    'The server is overloaded, try again in a second',
  );
  return { ...implied, ...operation.answers };
}
