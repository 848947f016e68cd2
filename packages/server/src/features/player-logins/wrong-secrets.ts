import {
  MAX_WRONG_SECRETS_OF_LOGIN_PER_MINUTE,
  MAX_WRONG_SECRETS_OF_NETWORK_PER_MINUTE,
} from '@overworld/contract/players/login-limits';
import { ApiError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/network/network-address.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { WindowCounts } from '../../platform/workers/counts/window-counts.ts';
import { nameOfIdentity } from './identity.ts';
import type { IdentityName } from './identity.ts';

const WINDOW_MS = 60_000;

/**
 * Bounds wrong secrets and used tokens: of a network for one login, and for all logins of a game. Nobody
 * locks out a login from another network, nor others of the same one: its bound is twenty times as high.
 */
export interface WrongSecrets {
  /**
   * Runs an attempt, and counts it if it is answered 401.
   * @throws ApiError 429 when the login, or the network, has used up its minute.
   */
  bound<T>(
    tenant: Tenant,
    identity: IdentityName,
    ip: string,
    attempt: () => Promise<T>,
  ): Promise<T>;
}

/** @param windows Counts of all workers of this server. */
export function createWrongSecrets(windows: WindowCounts): WrongSecrets {
  return {
    async bound(tenant, identity, ip, attempt) {
      const network = networkOf(ip);
      const of_network = `wrong login ${tenant.game_id} ${network}`;
      if (windows.read(of_network, WINDOW_MS) >= MAX_WRONG_SECRETS_OF_NETWORK_PER_MINUTE) {
        throw tooMany('from this address');
      }
      // Counted before the attempt, so that parallel guesses cannot pass the bound.
      const of_login = `wrong secret ${nameOfIdentity(tenant, identity)} ${network}`;
      const { count } = windows.add(of_login, 1, WINDOW_MS);
      let isWrong = false;
      try {
        if (count > MAX_WRONG_SECRETS_OF_LOGIN_PER_MINUTE) throw tooMany('of this login');
        return await attempt();
      } catch (error) {
        isWrong = error instanceof ApiError && error.status === 401;
        throw error;
      } finally {
        if (isWrong) windows.add(of_network, 1, WINDOW_MS);
        else windows.takeBack(of_login, WINDOW_MS);
      }
    },
  };
}

const tooMany = (whose: string) =>
  new ApiError(
    429,
    'Too Many Requests',
    { statusCode: 429, message: `Too many wrong secrets ${whose}, retry in 60 seconds` },
    { headers: { 'Retry-After': '60' } },
  );
