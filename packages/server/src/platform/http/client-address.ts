import type { IncomingMessage } from 'node:http';
import { all, compile } from '@fastify/proxy-addr';
import type { Config } from '../config.ts';

/** Tells the clients of requests by TRUST_PROXY. */
export function createClientAddresses({ trust_proxy }: Pick<Config, 'trust_proxy'>) {
  const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? '';
  const statedHost = ({ headers }: IncomingMessage) => headers.host ?? '';
  if (trust_proxy === false) {
    return { isProxy: () => false, of: addressOf, hostOf: statedHost };
  }
  const isTrusted = trust_proxy === true ? () => true : compile(trust_proxy);
  const isProxy = (address: string) => isTrusted(address, 0);
  return {
    /** Tells whether an address is a proxy's. */
    isProxy,
    // A connection that was closed at once has no address any more.
    /** The client's address; behind trusted proxies, the one that they name. */
    of: (request: IncomingMessage): string => all(request, isTrusted).at(-1) ?? '',
    /** The host that the client asked for; behind trusted proxies, the one that they name. */
    hostOf(request: IncomingMessage): string {
      const named = request.headers['x-forwarded-host'];
      const isNamed = typeof named === 'string' && named !== '' && isProxy(addressOf(request));
      if (!isNamed) return statedHost(request);
      // The last one was added by the proxy that is next to us.
      return named.slice(named.lastIndexOf(',') + 1).trim();
    },
  };
}
