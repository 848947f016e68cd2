import type { Config } from '../../../platform/config.ts';
import { isLocalUrl, isLoopback } from '../../../platform/network/loopback.ts';

/**
 * Tells whether everybody on other machines can make an active account. Other machines reach
 * the server if `HOST` lets them, or through a proxy, whose address is then in `PUBLIC_URL`.
 */
export function isOpenToStrangers(
  config: Pick<Config, 'host' | 'public_url' | 'registration' | 'account_activation'>,
): boolean {
  const { host, public_url, registration, account_activation } = config;
  if (registration === 'closed' || account_activation === 'admin') return false;
  return !isLoopback(host) || !isLocalUrl(public_url);
}
