import {
  MAX_CODES_OF_ADDRESS_PER_MINUTE,
  MAX_LOGINS_OF_PLAYER,
  MOVE_CODE_LENGTH,
  MOVE_CODE_MINUTES,
} from '@overworld/contract/players/login-limits';
import { hashTypedCode, makeTypedCode } from '../../../platform/auth/typed-code.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { sql } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { networkOf } from '../../../platform/network/network-address.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { PlayerSession, Proof } from '../identity.ts';
import { isOfClaim, listIdentities, lockIdentities, requireOpenSession } from './link-store.ts';
import { linkIn, tooManyLogins } from './links.ts';

/**
 * Makes and checks the codes with which a player links another device. Both have a limit for each network
 * and none for a whole game, because strangers could use that one up. The length of the codes alone keeps
 * them from being guessed.
 */
export function createMoveCodes(installation: Database) {
  const users = createAttemptLimit(installation, 'move_player', MAX_CODES_OF_ADDRESS_PER_MINUTE);
  const makers = createAttemptLimit(
    installation,
    'make_move_code',
    MAX_CODES_OF_ADDRESS_PER_MINUTE,
    { nameOf: (name) => name },
  );

  return {
    /**
     * Makes a new code for a player; an earlier code stops working.
     * @throws ApiError 401 when the session has ended, 404 when the player was erased, 409 when the
     * player can have no more logins, 429 when the network asks for too many codes.
     */
    async make(
      database: Database,
      player: PlayerSession,
      ip: string,
    ): Promise<{ code: string; expires_at: string }> {
      await makers.take(`${player.game_id} ${player.environment} ${networkOf(ip)}`);
      return database.transaction((tx) => storeCode(tx, player));
    },
    /**
     * Links a device to the player for whom the code was made. If the same device repeats the call, it
     * succeeds again.
     * @throws ApiError 404 for a wrong code, 409 when the device belongs to another player, 429 after too
     * many tries.
     */
    async use(database: Database, tenant: Tenant, code: string, device: Proof, ip: string) {
      await users.take(ip);
      const isRight = await retryDeadlocks(() =>
        database.transaction((tx) => useCode(tx, tenant, code, device)),
      );
      if (!isRight) throw notFound('This code is wrong or has expired');
    },
  };
}

async function storeCode(tx: Queryable, player: PlayerSession) {
  if (!(await lockIdentities(tx, player))) throw notFound('Player not found');
  await requireOpenSession(tx, player);
  const { game_id, environment, player_id } = player;
  if ((await listIdentities(tx, player)).length >= MAX_LOGINS_OF_PLAYER) throw tooManyLogins();
  const code = makeTypedCode(MOVE_CODE_LENGTH);
  const stored = await tx.queryOne<{ expires_at: string }>(sql`
    INSERT INTO player_move_codes (game_id, environment, code, player_id, is_claim, expires_at)
    VALUES (${game_id}, ${environment}, ${hashTypedCode(code)}, ${player_id},
            ${await isOfClaim(tx, player)},
            now() + ${MOVE_CODE_MINUTES}::integer * interval '1 minute')
    ON CONFLICT (game_id, environment, player_id) DO UPDATE
    SET code = EXCLUDED.code, is_claim = EXCLUDED.is_claim, expires_at = EXCLUDED.expires_at,
        used_by = NULL
    RETURNING expires_at`);
  return { code, ...stored! };
}

/** Links the device if the code is right. @returns True if the code is right. */
async function useCode(
  tx: Queryable,
  tenant: Tenant,
  code: string,
  device: Proof,
): Promise<boolean> {
  const found = await tx.queryOne<{ player_id: string; is_claim: boolean }>(sql`
    UPDATE player_move_codes SET used_by = ${device.subject}
    WHERE ${isOfTenant(tenant)} AND code = ${hashTypedCode(code)} AND expires_at > now()
      AND (used_by IS NULL OR used_by = ${device.subject})
    RETURNING player_id, is_claim`);
  if (found === null) return false;
  const { player_id, is_claim } = found;
  await linkIn(tx, { ...tenant, player_id }, device, is_claim);
  return true;
}
