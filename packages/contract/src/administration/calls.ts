import { answer } from '../answers.ts';
import { EnvironmentName } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Administration');

/** The number of rows of each list. */
export const MAX_LISTED_CALLS = 50;

const CALLERS = ['key', 'access_token', 'account', 'nobody'] as const;

const counted = {
  caller: t.Object(
    {
      kind: t.Enum(CALLERS, '`nobody`: the calls had no valid credentials, or needed none.'),
      id: t.Nullable(t.Uuid('Id of the key, access token or account; null: nobody.')),
      name: t.Nullable(
        t.String(
          'The name of the key or of the access token, or the e-mail address of the account; null: nobody, or the caller was deleted.',
        ),
      ),
      game_id: t.Nullable(t.Uuid('The game of the key; null for other callers.')),
      game_name: t.Nullable(t.String('The name of this game.')),
      environment: t.Nullable(EnvironmentName),
    },
    { description: 'The caller, by the credentials of the calls.' },
  ),
  operation: t.Nullable(
    t.String(
      'Method and path, such as `POST /v1/track`; null: pages, files and paths that do not exist.',
    ),
  ),
  call_count: t.Integer('Calls, with those that were given up before their answer.'),
  refused_count: t.Integer('Of these, the calls that were answered 400 to 499.'),
  failed_count: t.Integer('Of these, the calls that were answered 500 or more.'),
};

const example = {
  caller: {
    kind: 'key',
    id: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
    name: 'Web build',
    game_id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
    game_name: 'Sky Harbour',
    environment: 'production',
  },
  operation: 'POST /v1/track',
  call_count: 18_211,
  refused_count: 12,
  failed_count: 0,
};

export const getRecentCalls = operation('GET /v1/admin/recent-calls', {
  access: 'administrator',
  summary: 'What calls, and from where',
  description: `The calls of the last five minutes to the server that answers, by caller and operation, and by network: the ${MAX_LISTED_CALLS} rows with the most calls of each. The counts are only in memory, which keeps a few thousand rows a minute. Rows with few calls are dropped when there are more, so many invented addresses do not hide the largest. After the first thousand calls of a minute, networks are counted by one call in sixteen, so their numbers are then estimates.`,
  answers: {
    200: answer(
      'The calls, most first.',
      t.Resource('RecentCalls', {
        window_seconds: t.Integer('The time that the counts cover, at most about 300.'),
        call_count: t.Integer('All calls of this time.'),
        callers: t.Array(t.Object(counted)),
        networks: t.Array(
          t.Object({
            network: t.String(
              'An IPv4 address, or an IPv6 /64. Behind proxies, the one that they report.',
            ),
            ...counted,
          }),
        ),
      }),
      {
        window_seconds: 300,
        call_count: 20_113,
        callers: [example],
        networks: [{ network: '203.0.113.7', ...example, call_count: 4_020 }],
      },
    ),
  },
});
