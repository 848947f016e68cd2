import { MAX_WRONG_SECRETS_PER_MINUTE } from '@overworld/contract/players/login-limits';
import { ApiError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/network/network-address.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { WindowCounts } from '../../platform/workers/counts/window-counts.ts';

const WINDOW_MS = 60_000;

/** Bounds the wrong secrets and tokens of a network in a game. */
export interface WrongSecrets {
  /**
   * Runs an attempt, and counts it if it is answered 401.
   * @throws ApiError 429 when the network has used up its minute.
   */
  bound<T>(tenant: Tenant, ip: string, attempt: () => Promise<T>): Promise<T>;
}

/** @param windows Counts of all workers of this server. */
export function createWrongSecrets(windows: WindowCounts): WrongSecrets {
  return {
    async bound({ game_id }, ip, attempt) {
      const name = `wrong login ${game_id} ${networkOf(ip)}`;
      if (windows.read(name, WINDOW_MS) >= MAX_WRONG_SECRETS_PER_MINUTE) throw tooMany();
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) windows.add(name, 1, WINDOW_MS);
        throw error;
      }
    },
  };
}

const tooMany = () =>
  new ApiError(
    429,
    'Too Many Requests',
    { statusCode: 429, message: 'Too many wrong logins from this address, retry in 60 seconds' },
    { headers: { 'Retry-After': '60' } },
  );
