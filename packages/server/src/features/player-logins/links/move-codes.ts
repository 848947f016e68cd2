import { randomInt } from 'node:crypto';
import {
  MAX_CODES_OF_ADDRESS_PER_MINUTE,
  MAX_LOGINS_OF_PLAYER,
  MAX_MOVE_CODES,
  MAX_WRONG_CODES_PER_MINUTE,
  MOVE_CODE_MINUTES,
} from '@overworld/contract/players/login-limits';
import type { Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { sql } from '../../../platform/database/sql.ts';
import { notFound, unavailable } from '../../../platform/errors.ts';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { networkOf } from '../../../platform/network/network-address.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { PlayerSession, Proof } from '../identity.ts';
import { listIdentities, lockIdentities, requireOpenSession } from './link-store.ts';
import { linkIn, tooManyLogins } from './links.ts';

/** The maximum number of tries to find a free code. Of a million codes, nearly every try finds a free one. */
const MAX_TRIES = 10;

/** Makes and checks the codes with which a player links another device. */
export function createMoveCodes(database: GroupedDatabase) {
  const ofAddress = createAttemptLimit(database, 'move_player', MAX_CODES_OF_ADDRESS_PER_MINUTE);
  // A game has a maximum number of open codes. Without this limit, one network could use up all of them.
  const makers = createAttemptLimit(database, 'make_move_code', MAX_CODES_OF_ADDRESS_PER_MINUTE, {
    nameOf: (name) => name,
  });
  const ofGame = createAttemptLimit(database, 'move_player_of_game', MAX_WRONG_CODES_PER_MINUTE, {
    nameOf: (name) => name,
    message: 'Too many wrong codes in this game',
  });

  return {
    /**
     * Makes a new code for a player; an earlier code stops working.
     * @throws ApiError 401 when the session has ended, 404 when the player was erased, 409 when the
     * player can have no more logins, 429 when the network asks for too many codes, 503 when too many
     * players of the game are moving.
     */
    async make(player: PlayerSession, ip: string): Promise<{ code: string; expires_at: string }> {
      await makers.take(`${player.game_id} ${player.environment} ${networkOf(ip)}`);
      return database.ofGame(player.game_id).transaction((tx) => insertCode(tx, player));
    },
    /**
     * Links a device to the player for whom the code was made. If the same device repeats the call, it
     * succeeds again.
     * @throws ApiError 404 for a wrong code, 409 when the device belongs to another player, 429 after too
     * many tries.
     */
    async use(tenant: Tenant, code: string, device: Proof, ip: string) {
      const name = `${tenant.game_id} ${tenant.environment}`;
      await ofAddress.take(ip);
      // The guess is counted before the look-up, so parallel guesses cannot pass the limit.
      await ofGame.take(name);
      let isWrong = false;
      try {
        isWrong = !(await retryDeadlocks(() =>
          database.ofGame(tenant.game_id).transaction((tx) => useCode(tx, tenant, code, device)),
        ));
      } finally {
        if (!isWrong) await ofGame.giveBack(name);
      }
      if (isWrong) throw notFound('This code is wrong or has expired');
    },
  };
}

async function insertCode(tx: Queryable, player: PlayerSession) {
  if (!(await lockIdentities(tx, player))) throw notFound('Player not found');
  await requireOpenSession(tx, player);
  const { game_id, environment, player_id } = player;
  if ((await listIdentities(tx, player)).length >= MAX_LOGINS_OF_PLAYER) throw tooManyLogins();
  await tx.execute(sql`
    DELETE FROM player_move_codes
    WHERE ${isOfTenant(player)} AND (player_id = ${player_id} OR expires_at <= now())`);
  const open = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM player_move_codes WHERE ${isOfTenant(player)}`);
  for (let tries = 0; tries < MAX_TRIES && open!.count < MAX_MOVE_CODES; tries++) {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const made = await tx.queryOne<{ expires_at: string }>(sql`
      INSERT INTO player_move_codes (game_id, environment, code, player_id, expires_at)
      VALUES (${game_id}, ${environment}, ${code}, ${player_id},
              now() + ${MOVE_CODE_MINUTES}::integer * interval '1 minute')
      ON CONFLICT DO NOTHING
      RETURNING expires_at`);
    if (made !== null) return { code, ...made };
  }
  throw unavailable('Too many codes are in use, try again in a minute', undefined, 60);
}

/** Links the device if the code is right. @returns True if the code is right. */
async function useCode(
  tx: Queryable,
  tenant: Tenant,
  code: string,
  device: Proof,
): Promise<boolean> {
  const found = await tx.queryOne<{ player_id: string }>(sql`
    UPDATE player_move_codes SET used_by = ${device.subject}
    WHERE ${isOfTenant(tenant)} AND code = ${code} AND expires_at > now()
      AND (used_by IS NULL OR used_by = ${device.subject})
    RETURNING player_id`);
  if (found === null) return false;
  await linkIn(tx, { ...tenant, player_id: found.player_id }, device);
  return true;
}
