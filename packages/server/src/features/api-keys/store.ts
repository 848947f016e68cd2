import type { Environment } from '@overworld/contract/common';
import type {
  ApiKeyKind,
  listApiKeys as listApiKeysOperation,
} from '@overworld/contract/games/api-keys';
import type { SuccessOf } from '@overworld/contract/operation';
import { IS_VALID_KEY } from '../../platform/auth/api-keys.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

/** A key as the dashboard shows it. The key itself is not stored. */
export type ApiKey = SuccessOf<typeof listApiKeysOperation>['api_keys'][number];

/** A key with all its columns, including those that answers of the API leave out. */
export interface StoredApiKey extends ApiKey {
  key_hash: string;
  first_key_id: string | null;
  is_valid: boolean;
}

const columns = sql`
  id, name, environment, kind, prefix, created_at, last_used_at, revoked_at, expires_at, replaced_by,
  CASE WHEN created_by IS NOT NULL THEN json_build_object(
    'account_id', created_by,
    'email', created_by_email,
    'is_member', EXISTS (SELECT FROM game_members
                         WHERE game_members.game_id = api_keys.game_id AND account_id = created_by)
  ) END AS created_by`;

/** Lists up to `count` keys of a game, the newest first. If `state` is `valid`, lists only valid keys. */
export async function listApiKeys(
  database: Queryable,
  game_id: string,
  state: 'valid' | undefined,
  { after, count }: PageRange,
): Promise<(ApiKey & PagePosition)[]> {
  return database.query<ApiKey & PagePosition>(sql`
    SELECT ${columns}, created_at::text AS created
    FROM api_keys
    WHERE game_id = ${game_id} AND (${state === undefined}::boolean OR ${IS_VALID_KEY})
      AND ${isAfter(sql`created_at, id`, 'newest_first', after)}
    ORDER BY created_at DESC, id DESC
    LIMIT ${count}`);
}

/** Counts a game's valid keys. */
export const countApiKeys = (tx: Queryable, game_id: string): Promise<number> =>
  selectCount(tx, sql`api_keys WHERE game_id = ${game_id} AND ${IS_VALID_KEY}`);

export async function insertApiKey(
  tx: Queryable,
  game_id: string,
  key: {
    name: string;
    environment: Environment;
    kind: ApiKeyKind;
    prefix: string;
    key_hash: string;
    /** The first key in the chain of rotations that leads to this key. */
    first_key_id?: string;
  },
  maker: Actor['account'],
): Promise<ApiKey> {
  const row = await tx.queryOne<ApiKey>(sql`
    WITH inserted AS (
      INSERT INTO api_keys
        (game_id, name, environment, kind, prefix, key_hash, first_key_id, created_by,
         created_by_email)
      VALUES (${game_id}, ${key.name}, ${key.environment}, ${key.kind}, ${key.prefix},
              ${key.key_hash}, ${key.first_key_id}, ${maker?.account_id}, ${maker?.email})
      RETURNING *
    )
    SELECT ${columns} FROM inserted AS api_keys`);
  return row!;
}

/** Lists those of the given keys that belong to the game, and locks them until the transaction ends. */
export async function listApiKeysForUpdate(
  tx: Queryable,
  game_id: string,
  key_ids: readonly string[],
): Promise<StoredApiKey[]> {
  return tx.query<StoredApiKey>(sql`
    SELECT ${columns}, key_hash, first_key_id, ${IS_VALID_KEY} AS is_valid
    FROM api_keys
    WHERE game_id = ${game_id} AND id = ANY(${[...key_ids]}::uuid[])
    ORDER BY id
    FOR UPDATE`);
}

export async function updateRevokedAt(
  tx: Queryable,
  game_id: string,
  key_ids: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    UPDATE api_keys SET revoked_at = now()
    WHERE game_id = ${game_id} AND id = ANY(${[...key_ids]}::uuid[])`);
}

/** Marks a key as replaced. The key goes on working for `valid_hours`. */
export async function updateReplaced(
  tx: Queryable,
  game_id: string,
  key_id: string,
  { replaced_by, valid_hours }: { replaced_by: string; valid_hours: number },
): Promise<ApiKey> {
  const row = await tx.queryOne<ApiKey>(sql`
    WITH replaced AS (
      UPDATE api_keys
      SET replaced_by = ${replaced_by},
          expires_at = now() + make_interval(secs => ${valid_hours * 3_600})
      WHERE game_id = ${game_id} AND id = ${key_id}
      RETURNING *
    )
    SELECT ${columns} FROM replaced AS api_keys`);
  return row!;
}
