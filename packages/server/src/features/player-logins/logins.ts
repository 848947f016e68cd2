import { randomBytes, randomUUID } from 'node:crypto';
import { MAX_SESSIONS_OF_PLAYER } from '@overworld/contract/players/login-limits';
import type { Database } from '../../platform/database/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import type { StorageGuard } from '../../platform/limits/storage-guard.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { LoggedIn, Proof } from './identity.ts';
import { deleteOldestSessions } from './login-store.ts';
import type { LoginRequest, Voucher } from './login-store.ts';
import type { LoginWriter } from './login-writer.ts';
import { writeRefreshToken } from './sessions/refresh-token.ts';

export interface LoginServices {
  storage: StorageGuard;
  logins: LoginWriter;
}

/** The player whom a new identity wants to take over. */
interface Wanted {
  wanted_player_id: string | null;
  /** The server key of the call; null without one. */
  server_key_id: string | null;
  /** True if a login may name a player without a voucher. */
  allows_claims: boolean;
}

/** The value for a login that names no player to take over. */
export const NOBODY: Wanted = {
  wanted_player_id: null,
  server_key_id: null,
  allows_claims: false,
};

/**
 * Logs in the identity that the proof names. A new identity takes over the wanted player. If no player is
 * wanted, the identity gets a new player.
 * @param stranger_ip The address of a caller without a server key. It counts only for a device, because
 * anybody can invent one.
 * @throws ApiError 401 if the proof is wrong or was used before; 403 if a new identity may not name a player,
 * or if the game has reached its limit of players; 409 if the player belongs to another identity, or was
 * merged into another player; 429 if the network of a device has used up its share of new players.
 */
export async function logIn(
  hot: Database,
  { storage, logins }: LoginServices,
  tenant: Tenant,
  proof: Proof,
  wanted: Wanted,
  stranger_ip?: string,
): Promise<LoggedIn> {
  const { vouched_player_id } = proof;
  const wanted_player_id = vouched_player_id ?? wanted.wanted_player_id;
  const voucher = findVoucher(proof, wanted);
  const request: LoginRequest = {
    tenant,
    proof,
    wanted_player_id,
    voucher,
    new_player_id: randomUUID(),
    session_id: randomUUID(),
    token_secret: randomBytes(24).toString('base64url'),
  };
  const stranger = proof.provider === 'device' && stranger_ip ? { stranger_ip } : {};
  const make = () => {
    if (wanted_player_id !== null && voucher === null && !wanted.allows_claims) {
      throw claimsAreRefused();
    }
    const player = { ...tenant, player_id: wanted_player_id ?? request.new_player_id, ...stranger };
    return storage.run(player, { players: 1 }, () => logins.makeAndLogIn(request));
  };
  const known = await logins.logIn(request);
  const login = known === null ? await make() : { ...known, created: false };
  if (login === null || (login.is_right && !login.is_fresh)) throw tokenUsed();
  if (!login.is_right) throw wrongSecret();
  const { player_id, created, providers, sessions } = login;
  if (vouched_player_id !== null && vouched_player_id !== player_id) {
    throw conflict('This login belongs to another player than the player_id of its token');
  }
  const player = { ...tenant, player_id };
  if (sessions >= MAX_SESSIONS_OF_PLAYER) {
    await deleteOldestSessions(hot, player);
  }
  const { session_id, token_secret } = request;
  const refresh_token = writeRefreshToken({ player_id, session_id }, token_secret, 0);
  return { player, session_id, refresh_token, created, providers };
}

function findVoucher({ vouched_player_id }: Proof, { server_key_id }: Wanted): Voucher | null {
  if (vouched_player_id !== null) return { kind: 'login_token' };
  return server_key_id === null ? null : { kind: 'server_key', key_id: server_key_id };
}

const claimsAreRefused = () =>
  new ApiError(
    403,
    'This game lets no login name its player: leave player_id out to get a new player',
  );

export const wrongSecret = () => new ApiError(401, 'Wrong device secret');

export const tokenUsed = () =>
  new ApiError(401, 'This token was used before: get a new one from the provider');
