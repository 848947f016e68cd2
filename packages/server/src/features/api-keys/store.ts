import type { Environment } from '@overworld/contract/common';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { PagePosition } from '../../platform/http/page.ts';

/** What is shown of a key; the key itself is not stored. */
export interface ApiKey {
  id: string;
  name: string;
  environment: Environment;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

const columns = sql`id, name, environment, prefix, created_at, last_used_at, revoked_at`;

/** Up to `count` keys of a game, the newest first. */
export async function listApiKeys(
  database: Queryable,
  game_id: string,
  after: PagePosition | null,
  count: number,
): Promise<(ApiKey & PagePosition)[]> {
  return database.query<ApiKey & PagePosition>(sql`
    SELECT ${columns}, created_at::text AS created
    FROM api_keys
    WHERE game_id = ${game_id} AND (${after === null}::boolean
      OR (created_at, id) < (${after?.created}::timestamptz, ${after?.id}::uuid))
    ORDER BY created_at DESC, id DESC
    LIMIT ${count}`);
}

/** Keys of a game that are not revoked. */
export async function countApiKeys(tx: Queryable, game_id: string): Promise<number> {
  const row = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM api_keys WHERE game_id = ${game_id} AND revoked_at IS NULL`);
  return row!.count;
}

export async function insertApiKey(
  tx: Queryable,
  game_id: string,
  key: { name: string; environment: Environment; prefix: string; key_hash: string },
): Promise<ApiKey> {
  const row = await tx.queryOne<ApiKey>(sql`
    INSERT INTO api_keys (game_id, name, environment, prefix, key_hash)
    VALUES (${game_id}, ${key.name}, ${key.environment}, ${key.prefix}, ${key.key_hash})
    RETURNING ${columns}`);
  return row!;
}

/** The key with its hash, locked until the transaction ends; null when the game has no such key. */
export async function findApiKeyForUpdate(
  tx: Queryable,
  game_id: string,
  key_id: string,
): Promise<(ApiKey & { key_hash: string }) | null> {
  return tx.queryOne(sql`
    SELECT ${columns}, key_hash FROM api_keys
    WHERE game_id = ${game_id} AND id = ${key_id}
    FOR UPDATE`);
}

export async function updateRevokedAt(
  tx: Queryable,
  game_id: string,
  key_id: string,
): Promise<void> {
  await tx.execute(sql`
    UPDATE api_keys SET revoked_at = now() WHERE game_id = ${game_id} AND id = ${key_id}`);
}
