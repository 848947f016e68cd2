import type { getRecentCalls } from '@overworld/contract/administration/calls';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

type Caller = SuccessOf<typeof getRecentCalls>['callers'][number]['caller'];

const NOT_A_KEY = { game_id: null, game_name: null, environment: null } as const;

/** Finds the names of callers, which are given as `key:<id>`, `token:<id>`, `account:<id>` or an empty text. */
export async function nameCallers(
  database: Queryable,
  rows: readonly { caller: string }[],
): Promise<(caller: string) => Caller> {
  const idsOf = (kind: string) => [
    ...new Set(
      rows.flatMap(({ caller }) => (caller.startsWith(kind) ? caller.slice(kind.length) : [])),
    ),
  ];
  const keys = await database.query<Omit<Caller, 'kind'>>(sql`
    SELECT api_keys.id, api_keys.name, game_id, games.name AS game_name, environment
    FROM api_keys
    JOIN games ON games.id = game_id
    WHERE api_keys.id = ANY(${idsOf('key:')}::uuid[])`);
  const tokens = await database.query<{ id: string; name: string }>(sql`
    SELECT id, name FROM access_tokens WHERE id = ANY(${idsOf('token:')}::uuid[])`);
  const accounts = await database.query<{ id: string; name: string }>(sql`
    SELECT id, email AS name FROM accounts WHERE id = ANY(${idsOf('account:')}::uuid[])`);

  const named = new Map<string, Caller>();
  for (const key of keys) named.set(`key:${key.id}`, { kind: 'key', ...key });
  for (const { id, name } of tokens) {
    named.set(`token:${id}`, { kind: 'access_token', id, name, ...NOT_A_KEY });
  }
  for (const { id, name } of accounts) {
    named.set(`account:${id}`, { kind: 'account', id, name, ...NOT_A_KEY });
  }
  return (caller) => named.get(caller) ?? { ...readCaller(caller), name: null, ...NOT_A_KEY };
}

const KINDS: Record<string, Caller['kind']> = {
  key: 'key',
  token: 'access_token',
  account: 'account',
};

function readCaller(caller: string): Pick<Caller, 'kind' | 'id'> {
  const [kind = '', id = null] = caller.split(':');
  return { kind: KINDS[kind] ?? 'nobody', id };
}
