import { ownerConfirmation } from '../accounts/login-answers.ts';
import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { PageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  DEFAULT_ACCESS_TOKEN_DAYS,
  EXPIRED_TOKEN_KEPT_DAYS,
  MAX_ACCESS_TOKEN_DAYS,
  MAX_ACCESS_TOKEN_GAMES,
  MAX_ACCESS_TOKENS,
} from './limits.ts';
import { AccessTokenMembers, exampleToken, TokenRoleName } from './token.ts';

const operation = operationsIn('Access tokens');

const AccessToken = t.Resource('AccessToken', {
  ...AccessTokenMembers,
  games: t.Array(t.Object({ game_id: t.Uuid('Id of the game.'), name: t.String('Its name.') }), {
    description:
      'The games that it reaches, by name. A game from which the member was removed is missing for good.',
  }),
});

const example = {
  ...exampleToken,
  games: [{ game_id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42', name: 'Sky Harbour' }],
};

export const listAccessTokens = operation('GET /v1/access-tokens', {
  access: 'account',
  summary: 'List your access tokens',
  description: `The newest first. Expired tokens stay in the list for ${EXPIRED_TOKEN_KEPT_DAYS} days; those that reach no game any more are gone. The token itself is never shown again.`,
  query: PageQuery,
  answers: { 200: pageAnswer('A page of tokens.', 'access_tokens', AccessToken, example) },
});

export const createAccessToken = operation('POST /v1/access-tokens', {
  access: 'account',
  summary: 'Make an access token',
  description: [
    '`token` is shown in this answer and never again: only its hash is stored. A machine sends it as `Authorization: Bearer ow_pat_…`, and may make the calls of its role in its games. Everything that it changes is in the audit log with your address and the name of the token. It makes no calls about accounts, access tokens or the installation, and changes no members, invitations or links to dashboards.',
    'You must be a member of all its games, with its role or a higher one. If you later get a lower role in a game, that one counts; if you leave a game or are removed, the token never reaches the game again, even if you return. A wrong password counts as a failed login, and your account gets a mail about the new token.',
    `An account has at most ${MAX_ACCESS_TOKENS} tokens that have not expired. Each has a request rate of its own.`,
  ].join('\n\n'),
  body: t.Object({
    name: t.NewName('Its purpose, in words.', 100),
    role: TokenRoleName,
    game_ids: t.Array(t.Uuid('Id of a game.'), {
      minItems: 1,
      maxItems: MAX_ACCESS_TOKEN_GAMES,
      description: 'The games that it reaches.',
    }),
    expires_in_days: t.Optional(
      t.Integer('Days until it stops working.', {
        minimum: 1,
        maximum: MAX_ACCESS_TOKEN_DAYS,
        default: DEFAULT_ACCESS_TOKEN_DAYS,
      }),
    ),
    ...ownerConfirmation,
  }),
  example: {
    name: 'Nightly build',
    role: 'developer',
    game_ids: [example.games[0]!.game_id],
    expires_in_days: 90,
    password: 'correct horse battery staple',
  },
  answers: {
    201: answer(
      'The token works.',
      t.Object({
        ...AccessToken.properties,
        token: t.String('The token, for `Authorization: Bearer`.'),
      }),
      {
        ...example,
        last_used_at: null,
        token: 'ow_pat_x7Kp2qVb1nYt0cLw9RzE4mHs6uJd3gAf5TqXo8iBkNa000000',
      },
    ),
    403: errorAnswer(
      'Your role in one of the games is lower than that of the token; or the account is locked, pending, or must set up a second factor first.',
      'In Sky Harbour your role is viewer: a token can have this role or a lower one',
    ),
    404: errorAnswer('You are no member of one of the games.', 'Game not found'),
    409: errorAnswer(
      'The account has reached its limit of tokens.',
      `An account can have at most ${MAX_ACCESS_TOKENS} access tokens: revoke one first`,
    ),
  },
});

export const revokeAccessToken = operation('DELETE /v1/access-tokens/{token_id}', {
  access: 'account',
  summary: 'Revoke an access token of yours',
  description: 'It stops working at once on every server, and cannot be restored.',
  answers: {
    204: { description: 'The token is revoked.' },
    404: errorAnswer('The account has no such token.', 'Access token not found'),
  },
});
