import { errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentName, PageQuery } from '../common.ts';
import { ApiKeyKindName } from '../games/api-keys.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Administration');

const MadeKey = t.Resource('MadeKey', {
  id: t.Uuid('Id of the key.'),
  game_id: t.Uuid('Id of its game.'),
  game_name: t.String('Name of the game.'),
  name: t.String('Its purpose, in words.'),
  environment: EnvironmentName,
  kind: ApiKeyKindName,
  prefix: t.String('The first characters of the key.'),
  last_used_at: t.Nullable(t.Timestamp('When a game last used it; null: never.')),
});

export const listKeysMadeBy = operation('GET /v1/admin/users/{account_id}/api-keys', {
  access: 'administrator',
  summary: 'List the API keys that an account made',
  description:
    'Valid keys of all games, the newest first. Locking an account does not revoke its keys: revoke them in their games. The list also works for accounts that no longer exist.',
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of keys.', 'api_keys', MadeKey, {
      id: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
      game_id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
      game_name: 'Sky Harbour',
      name: 'Build server',
      environment: 'development',
      kind: 'client',
      prefix: 'ow_dev_x7Kp2q',
      last_used_at: '2026-03-14T15:09:26.535Z',
    }),
    404: errorAnswer('The id does not belong to an account.', 'Account not found'),
  },
});
