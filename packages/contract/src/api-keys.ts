import { Type } from 'typebox';
import {
  EnvironmentName,
  errorAnswer,
  GameId,
  merge,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
  Uuid,
} from './common.ts';
import { defineOperation } from './operation.ts';

const group = 'API keys';

/** Most keys of a game that are not revoked. */
export const MAX_API_KEYS = 100;

const ApiKey = Resource('ApiKey', {
  id: Uuid('Id of the key, which is not the key itself.'),
  name: Name('What the key is for.'),
  environment: EnvironmentName,
  prefix: Type.String({
    description: 'How the key begins: enough to recognise it, not to use it.',
  }),
  created_at: Timestamp('When it was made.'),
  last_used_at: Nullable(Timestamp('When a game last used it, to about ten seconds; null: never.')),
  revoked_at: Nullable(Timestamp('When it was revoked; null while it works.')),
});

const exampleKey = {
  id: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
  name: 'Build server',
  environment: 'development',
  prefix: 'ow_dev_x7Kp2q',
  created_at: '2026-03-01T09:05:00.000Z',
  last_used_at: '2026-03-14T15:09:26.535Z',
  revoked_at: null,
};

const params = Type.Object({ game_id: GameId });

export const listApiKeys = defineOperation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/v1/games/{game_id}/api-keys',
  access: 'viewer',
  group,
  summary: 'List the API keys of a game',
  description:
    'Keys of both environments, the newest first, revoked ones too, so that what was counted by key keeps its name. The key itself is never shown again.',
  params,
  query: PageQuery,
  answers: {
    200: {
      description: 'A page of keys.',
      body: PageOf('api_keys', ApiKey),
      example: { api_keys: [exampleKey], next_cursor: null },
    },
  },
});

export const createApiKey = defineOperation({
  id: 'createApiKey',
  method: 'POST',
  path: '/v1/games/{game_id}/api-keys',
  access: 'developer',
  group,
  summary: 'Make an API key',
  description: `\`key\` is shown in this answer and never again: only its hash is stored. Everything sent with it belongs to its environment, which cannot be changed. A key for production needs the role admin. A game has at most ${MAX_API_KEYS} keys that are not revoked.`,
  params,
  body: Type.Object({
    name: Name('What the key is for.'),
    environment: EnvironmentName,
  }),
  example: { name: 'Build server', environment: 'development' },
  answers: {
    201: {
      description: 'The key works.',
      body: merge(
        ApiKey,
        Type.Object({ key: Type.String({ description: 'The key, for `x-game-api-key`.' }) }),
      ),
      example: {
        ...exampleKey,
        last_used_at: null,
        key: 'ow_dev_x7Kp2qVb1nYt0cLw9RzE4mHs6uJd3gAf',
      },
    },
    409: errorAnswer(
      'The game has as many keys as it may have.',
      `A game can have at most ${MAX_API_KEYS} API keys: revoke one first`,
    ),
  },
});

export const revokeApiKey = defineOperation({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/v1/games/{game_id}/api-keys/{key_id}',
  access: 'developer',
  group,
  summary: 'Revoke an API key',
  description:
    'The key stops working within a second on every server, for ever. A key for production needs the role admin. Revoking a revoked key changes nothing.',
  params: merge(params, Type.Object({ key_id: Uuid('Id of the key.') })),
  answers: {
    204: { description: 'The key is revoked.' },
    404: errorAnswer(
      'The game has no such key, or the account is no member of the game.',
      'API key not found',
    ),
  },
});
