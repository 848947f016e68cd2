import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { describePrivate, isPublicAddress } from './public-address.ts';

/** A request to a server that a user has named. */
interface PublicRequest {
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** Aborts the request; the caller sets the deadline. */
  signal: AbortSignal;
  /** True if the server may be in a private network, or on this machine. */
  allow_private: boolean;
}

/**
 * Sends a request to a server that a user has named, and resolves with the head of the answer. Redirects
 * are not followed.
 * @throws Error for everything that prevents an answer, including an address that is not public.
 */
export async function requestPublic(url: URL, options: PublicRequest): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal, allow_private } = options;
  const host = hostOf(url);
  if (!allow_private && isIP(host) !== 0 && !isPublicAddress(host)) throw new NotPublic(host);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const settings = {
      method,
      headers,
      signal,
      // Each request has its own connection: a reused one could lead to an address that was checked for
      // another name.
      agent: false,
      lookup: allow_private ? lookup : lookupPublic,
    };
    send(url, settings, resolve)
      .on('error', reject)
      // After an answer of 101, Node closes the connection and reports neither answer nor error.
      .on('close', () => reject(new Error('The connection was closed without an answer')))
      .end(body);
  });
}

/** Finds the host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** The error when the host is in a private network or is this machine, and the caller does not allow that. */
class NotPublic extends Error {
  constructor(host: string) {
    super(describePrivate(host));
  }
}

/**
 * Looks up a name, and refuses addresses that are not public. The connection goes to the checked address, even
 * if the name gets another address after the check. Name servers are asked directly: while a name server is
 * silent, the look-up of the system would occupy one of the four threads that also hash passwords.
 */
const lookupPublic: LookupFunction = (host, { all }, callback) => {
  callbackify(resolvePublic)(host, (error: Error | null, addresses) => {
    if (error) return callback(error, []);
    // Node requests all addresses, unless a caller has chosen a family.
    if (all === true) return callback(null, addresses);
    const [{ address, family }] = addresses as [LookupAddress];
    callback(null, address, family);
  });
};

async function resolvePublic(host: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  if (!addresses.every((address) => isPublicAddress(address))) throw new NotPublic(host);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
