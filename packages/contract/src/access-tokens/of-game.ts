import { pageAnswer } from '../answers.ts';
import { PageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { EXPIRED_TOKEN_KEPT_DAYS } from './limits.ts';
import { AccessTokenMembers, exampleToken } from './token.ts';

const operation = operationsIn('Access tokens');

const GameAccessToken = t.Resource('GameAccessToken', {
  ...AccessTokenMembers,
  account_id: t.Uuid('Id of the account that made it.'),
  email: t.String('E-mail address of this account.'),
});

export const listGameAccessTokens = operation('GET /v1/games/{game_id}/access-tokens', {
  access: 'viewer',
  token_role: 'never',
  summary: 'List the access tokens that reach a game',
  description: `The newest first. Admins see the tokens of all members, other members only their own. Expired tokens stay in the list for ${EXPIRED_TOKEN_KEPT_DAYS} days.`,
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of tokens.', 'access_tokens', GameAccessToken, {
      ...exampleToken,
      account_id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
      email: 'mira@studio.example',
    }),
  },
});

export const revokeGameAccessToken = operation(
  'DELETE /v1/games/{game_id}/access-tokens/{token_id}',
  {
    access: 'viewer',
    token_role: 'never',
    summary: 'Revoke an access token for a game',
    description:
      'The token no longer reaches this game, at once on every server, and never will again. Other games that it reaches are not affected. Admins revoke the tokens of all members, other members only their own.',
    answers: { 204: { description: 'The token does not reach the game any more.' } },
  },
);
