import { isIP } from 'node:net';
import { badRequest } from '../../platform/errors.ts';
import { isLocalUrl } from '../../platform/network/loopback.ts';
import { describePrivate, isPublicAddress } from '../../platform/network/public-address.ts';
import { hostOf } from '../../platform/network/public-request.ts';

/**
 * Checks the URL of a webhook without looking up the IP address of its host name. Each attempt to send a
 * message looks up this address and checks it.
 * @param allow_private True if the host may be in a private network.
 * @throws ApiError 400 when the URL is not allowed.
 */
export function readWebhookUrl(text: string, allow_private: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    throw badRequest('url must be an address that begins with https:// or http://');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw badRequest('url must have no user name, password or fragment');
  }
  const host = hostOf(url);
  const is_private = isIP(host) === 0 ? isLocalUrl(url.href) : !isPublicAddress(host);
  if (is_private && !allow_private) {
    throw badRequest(
      `url must be on the internet: ${describePrivate(host)}, which the operator allows by ALLOW_PRIVATE_WEBHOOKS=true`,
    );
  }
  return url.href;
}

/**
 * Returns a URL without its path and query. The path and the query may hold a secret, so they are shown only
 * to members who may change the webhook.
 */
export function hideSecretParts(text: string): string {
  const { origin, href } = new URL(text);
  return href === `${origin}/` ? href : `${origin}/…`;
}

/** Tells whether a URL has the form in which `hideSecretParts` returns it, without path and query. */
export const isHiddenUrl = (text: string): boolean => /^[^/]+:\/\/[^/?#]+\/…$/.test(text);
