import type { Config } from '../../../platform/config.ts';
import { isLocalUrl, isLoopback } from '../../../platform/network/loopback.ts';

/**
 * Tells whether other machines reach the server, and everybody there can make an active account. They reach
 * it by `HOST`, or through a proxy, which `PUBLIC_URL` gives away.
 */
export function isOpenToStrangers(
  config: Pick<Config, 'host' | 'public_url' | 'registration' | 'account_activation'>,
): boolean {
  const { host, public_url, registration, account_activation } = config;
  if (registration === 'closed' || account_activation === 'admin') return false;
  return !isLoopback(host) || !isLocalUrl(public_url);
}
