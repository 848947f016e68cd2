import type { Config } from '../../../platform/config.ts';
import { isLocalUrl, isLoopback } from '../../../platform/network/loopback.ts';

/**
 * Whether whoever reaches the server can make an active account, and more than this machine reaches
 * it: by `HOST`, or by a proxy, which `PUBLIC_URL` gives away.
 */
export function isOpenToStrangers(
  config: Pick<Config, 'host' | 'public_url' | 'registration' | 'account_activation'>,
): boolean {
  const { host, public_url, registration, account_activation } = config;
  if (registration === 'closed' || account_activation === 'admin') return false;
  return !isLoopback(host) || !isLocalUrl(public_url);
}
