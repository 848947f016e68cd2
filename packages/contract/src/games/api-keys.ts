import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentName, PageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('API keys');

const API_KEY_KINDS = ['client', 'server'] as const;
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];
const KIND_IN_WORDS =
  '`client`: for the game itself; everybody who has the game can read it. `server`: for the servers of the studio; it may act for any player, and is refused from pages.';
export const ApiKeyKindName = t.Enum(API_KEY_KINDS, KIND_IN_WORDS);

/** The maximum number of valid keys of a game. */
export const MAX_API_KEYS = 100;

/** The longest time for which an old key works beside the key that replaces it. */
const MAX_OLD_KEY_HOURS = 90 * 24;
const DEFAULT_OLD_KEY_HOURS = 24;

const ApiKey = t.Resource('ApiKey', {
  id: t.Uuid('Id of the key, which is not the key itself.'),
  name: t.Name('Its purpose, in words.'),
  environment: EnvironmentName,
  kind: ApiKeyKindName,
  prefix: t.String('The first characters of the key: enough to recognise it, too few to use it.'),
  created_at: t.Timestamp('When it was made.'),
  last_used_at: t.Nullable(
    t.Timestamp('When a game last used it, to about ten seconds; null: never.'),
  ),
  revoked_at: t.Nullable(t.Timestamp('When it was revoked; null: it was not.')),
  expires_at: t.Nullable(
    t.Timestamp(
      'When it stops or stopped working because another key replaces it; null: it does not expire.',
    ),
  ),
  replaced_by: t.Nullable(t.Uuid('Id of the key that replaced it.')),
  created_by: t.Nullable(
    t.Object(
      {
        account_id: t.Uuid('Id of the account.'),
        email: t.String('Its e-mail address at that time.'),
        is_member: t.Boolean('Whether the account is a member of the game now.'),
      },
      {
        description:
          'Account that made it; null: it was made at the command line, or before this was recorded.',
      },
    ),
  ),
});

const exampleKey = {
  id: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
  name: 'Build server',
  environment: 'development',
  kind: 'client',
  prefix: 'ow_dev_x7Kp2q',
  created_at: '2026-03-01T09:05:00.000Z',
  last_used_at: '2026-03-14T15:09:26.535Z',
  revoked_at: null,
  expires_at: null,
  replaced_by: null,
  created_by: {
    account_id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
    email: 'mira@studio.example',
    is_member: true,
  },
};
const shownKey = 'ow_dev_x7Kp2qVb1nYt0cLw9RzE4mHs6uJd3gAf';

const ShownKey = t.Object({
  ...ApiKey.properties,
  key: t.String('The key, for `x-game-api-key`.'),
});
const tooManyKeys = `A game can have at most ${MAX_API_KEYS} API keys: revoke one first`;

export const listApiKeys = operation('GET /v1/games/{game_id}/api-keys', {
  access: 'viewer',
  summary: 'List the API keys of a game',
  description:
    'Keys of both environments, the newest first. Revoked and expired keys are in it, because reports by key need their names. The key itself is never shown again.',
  query: t.Object({
    ...PageQuery.properties,
    state: t.Optional(t.Literal('valid', { description: 'Only valid keys.' })),
  }),
  answers: { 200: pageAnswer('A page of keys.', 'api_keys', ApiKey, exampleKey) },
});

export const createApiKey = operation('POST /v1/games/{game_id}/api-keys', {
  access: 'developer',
  summary: 'Make an API key',
  description: `\`key\` is shown in this answer and never again: only its hash is stored. Everything that is sent with the key belongs to its environment. Environment and kind cannot be changed. Server keys begin with \`ow_srv_\`; keep them out of everything that players get. A key for production needs the role admin. A game has at most ${MAX_API_KEYS} valid keys.`,
  body: t.Object({
    name: t.NewName('Its purpose, in words.'),
    environment: EnvironmentName,
    kind: t.Optional(
      t.Enum(API_KEY_KINDS, `${KIND_IN_WORDS} \`client\` when left out.`, { default: 'client' }),
    ),
  }),
  example: { name: 'Build server', environment: 'development' },
  answers: {
    201: answer('The key works.', ShownKey, { ...exampleKey, last_used_at: null, key: shownKey }),
    409: errorAnswer('The game has reached its limit of keys.', tooManyKeys),
  },
});

export const rotateApiKey = operation('POST /v1/games/{game_id}/api-keys/{key_id}/rotate', {
  access: 'developer',
  summary: 'Replace an API key',
  description:
    'Makes a new key of the same name, environment and kind, shown in this answer and never again. The old key works for `old_key_valid_hours` more, so that there is time to update games in use; after that every server answers it 401. Revoke it to end it earlier. Rate limit and usage are counted for each key alone. A request that was sent with the old key may be sent again with the new one: its `Idempotency-Key` is recognised. A key for production needs the role admin.',
  body: t.Object({
    old_key_valid_hours: t.Number(
      `Hours for which the old key still works; 0: it stops at once. ${DEFAULT_OLD_KEY_HOURS} when left out, at most ${MAX_OLD_KEY_HOURS}.`,
      { minimum: 0, maximum: MAX_OLD_KEY_HOURS, default: DEFAULT_OLD_KEY_HOURS },
    ),
  }),
  example: { old_key_valid_hours: 24 },
  answers: {
    201: answer(
      'The new key works; `old_key` is the one it replaces.',
      t.Object({ ...ShownKey.properties, old_key: ApiKey }),
      {
        ...exampleKey,
        id: '0b0f2a53-7a0b-4d52-9d6e-6a3a3f1c2e90',
        prefix: 'ow_dev_x7Kp2q',
        created_at: '2026-03-15T10:00:00.000Z',
        last_used_at: null,
        key: shownKey,
        old_key: {
          ...exampleKey,
          prefix: 'ow_dev_a1B2c3',
          expires_at: '2026-03-16T10:00:00.000Z',
          replaced_by: '0b0f2a53-7a0b-4d52-9d6e-6a3a3f1c2e90',
        },
      },
    ),
    409: errorAnswer(
      'The key is no longer valid or was replaced before, or the game has reached its limit of keys.',
      'This API key was replaced already: rotate the key that replaced it',
    ),
  },
});

export const revokeApiKey = operation('DELETE /v1/games/{game_id}/api-keys/{key_id}', {
  access: 'developer',
  summary: 'Revoke an API key',
  description:
    'The key stops working within a second on every server, and cannot be restored. A key for production needs the role admin. Revoking a revoked or expired key changes nothing.',
  answers: { 204: { description: 'The key is revoked.' } },
});
