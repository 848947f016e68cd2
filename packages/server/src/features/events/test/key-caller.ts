import type { TestGame } from '../../../../test/harness.ts';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Makes a caller with the production key of a game. The game may send five events a month. */
export async function callerOf(database: Queryable, { game_id }: TestGame): Promise<KeyCaller> {
  const key = await database.queryOne<{ id: string }>(sql`
    SELECT id FROM api_keys WHERE game_id = ${game_id} AND environment = 'production'`);
  return {
    kind: 'key',
    key_kind: 'client',
    key_id: key!.id,
    first_key_id: key!.id,
    game_id,
    environment: 'production',
    event_quota: 5,
    event_validation: 'warn',
    player_name_property: null,
    verification: 'off',
    allows_claims: true,
    environment_quota: null,
    raised_requests: null,
    shares: null,
  };
}
