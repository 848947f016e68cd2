import { Type } from 'typebox';
import {
  EnvironmentName,
  errorAnswer,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
  Uuid,
} from '../common.ts';
import { defineOperation } from '../operation.ts';

const MadeKey = Resource('MadeKey', {
  id: Uuid('Id of the key.'),
  game_id: Uuid('Id of its game.'),
  game_name: Type.String({ description: 'Name of the game.' }),
  name: Type.String({ description: 'What the key is for.' }),
  environment: EnvironmentName,
  prefix: Type.String({ description: 'How the key begins.' }),
  last_used_at: Nullable(Timestamp('When a game last used it; null: never.')),
});

export const listKeysMadeBy = defineOperation({
  id: 'listKeysMadeBy',
  method: 'GET',
  path: '/v1/admin/users/{account_id}/api-keys',
  access: 'administrator',
  group: 'Administration',
  summary: 'List the API keys that an account made',
  description:
    'Those that work, in all games, the newest first. Locking an account leaves them as they are: revoke them in their games. Accounts that are gone have theirs, too.',
  params: Type.Object({
    account_id: Type.String({ description: 'Id of the account (uuid).' }),
  }),
  query: PageQuery,
  answers: {
    200: {
      description: 'A page of keys.',
      body: PageOf('api_keys', MadeKey),
      example: {
        api_keys: [
          {
            id: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
            game_id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
            game_name: 'Sky Harbour',
            name: 'Build server',
            environment: 'development',
            prefix: 'ow_dev_x7Kp2q',
            last_used_at: '2026-03-14T15:09:26.535Z',
          },
        ],
        next_cursor: null,
      },
    },
    404: errorAnswer('The id is none of an account.', 'Account not found'),
  },
});
