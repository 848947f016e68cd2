import {
  MAX_WRONG_SECRETS_OF_LOGIN_PER_MINUTE,
  MAX_WRONG_SECRETS_OF_NETWORK_PER_MINUTE,
} from '@overworld/contract/players/login-limits';
import { ApiError, tooManyRequests } from '../../platform/errors.ts';
import { networkOf } from '../../platform/network/network-address.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { WindowCounts } from '../../platform/workers/counts/window-counts.ts';
import { nameOfIdentity } from './identity.ts';
import type { IdentityKey } from './identity.ts';

const WINDOW_MS = 60_000;

/**
 * Limits the number of wrong secrets and used tokens that a network sends. One limit is for one login, and
 * the other is for all logins of a game together. Both count only attempts from the same network, so nobody
 * can lock out a login from another network. The limit for all logins is twenty times as high. So wrong
 * attempts for one login do not lock out the other logins of the network.
 * @param windows Counts that all workers of this server share.
 */
export function createWrongSecrets(windows: WindowCounts) {
  return {
    /**
     * Runs an attempt to log in. While it runs, it counts as wrong. Later it counts as wrong only if it was
     * answered with 401.
     * @throws ApiError 429 when the login or the network has used up its attempts of this minute.
     */
    async bound<T>(tenant: Tenant, identity: IdentityKey, ip: string, attempt: () => Promise<T>) {
      const network = networkOf(ip);
      const of_network = `wrong login ${tenant.game_id} ${network}`;
      const of_login = `wrong secret ${nameOfIdentity(tenant, identity)} ${network}`;
      // The attempt is counted before it runs, so parallel guesses cannot pass the limits.
      const wrong_of_network = windows.add(of_network, 1, WINDOW_MS).count;
      const wrong_of_login = windows.add(of_login, 1, WINDOW_MS).count;
      let isWrong = false;
      try {
        if (wrong_of_network > MAX_WRONG_SECRETS_OF_NETWORK_PER_MINUTE) {
          throw tooMany('from this address');
        }
        if (wrong_of_login > MAX_WRONG_SECRETS_OF_LOGIN_PER_MINUTE) throw tooMany('of this login');
        return await attempt();
      } catch (error) {
        isWrong = error instanceof ApiError && error.status === 401;
        throw error;
      } finally {
        if (!isWrong) {
          windows.takeBack(of_network, WINDOW_MS);
          windows.takeBack(of_login, WINDOW_MS);
        }
      }
    },
  };
}

const tooMany = (whose: string) =>
  tooManyRequests(`Too many wrong secrets ${whose}, retry in 60 seconds`, { 'retry-after': '60' });
