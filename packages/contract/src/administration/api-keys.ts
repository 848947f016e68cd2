import { errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentName, PageQuery } from '../common.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Administration');

const MadeKey = t.Resource('MadeKey', {
  id: t.Uuid('Id of the key.'),
  game_id: t.Uuid('Id of its game.'),
  game_name: t.String('Name of the game.'),
  name: t.String('What the key is for.'),
  environment: EnvironmentName,
  prefix: t.String('How the key begins.'),
  last_used_at: t.Nullable(t.Timestamp('When a game last used it; null: never.')),
});

export const listKeysMadeBy = operation('GET /v1/admin/users/{account_id}/api-keys', {
  id: 'listKeysMadeBy',
  access: 'administrator',
  summary: 'List the API keys that an account made',
  description:
    'Those that work, in all games, the newest first. Locking an account leaves them as they are: revoke them in their games. Accounts that are gone have theirs, too.',
  params: t.Object({
    account_id: t.String('Id of the account (uuid).'),
  }),
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of keys.', 'api_keys', MadeKey, {
      id: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
      game_id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
      game_name: 'Sky Harbour',
      name: 'Build server',
      environment: 'development',
      prefix: 'ow_dev_x7Kp2q',
      last_used_at: '2026-03-14T15:09:26.535Z',
    }),
    404: errorAnswer('The id is none of an account.', 'Account not found'),
  },
});
