import type { Config } from '../../../platform/config.ts';
import { isLocalUrl, isLoopback } from '../../../platform/network/loopback.ts';

/**
 * Tells whether anybody on another machine can make an active account. Other machines can reach the
 * server if `HOST` is not a loopback address, or through a proxy. `PUBLIC_URL` then has the address of
 * the proxy.
 */
export function isOpenToStrangers(
  config: Pick<Config, 'host' | 'public_url' | 'registration' | 'account_activation'>,
): boolean {
  const { host, public_url, registration, account_activation } = config;
  if (registration === 'closed' || account_activation === 'admin') return false;
  return !isLoopback(host) || !isLocalUrl(public_url);
}
