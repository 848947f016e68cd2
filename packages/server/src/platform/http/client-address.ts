import type { IncomingMessage } from 'node:http';
import { all, compile } from '@fastify/proxy-addr';
import type { Config } from '../config.ts';

/** Makes functions that find the client of a request, even behind the proxies that TRUST_PROXY lists. */
export function createClientAddresses({ trust_proxy }: Pick<Config, 'trust_proxy'>) {
  const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? '';
  const statedHost = ({ headers }: IncomingMessage) => headers.host ?? '';
  if (trust_proxy === false) {
    return { isProxy: () => false, of: addressOf, hostOf: statedHost };
  }
  const isTrusted = trust_proxy === true ? () => true : compile(trust_proxy);
  const isProxy = (address: string) => isTrusted(address, 0);
  return {
    /** Tells whether an address belongs to a trusted proxy. */
    isProxy,
    /**
     * Finds the client's address; behind trusted proxies, the address that
     * they name. Returns an empty text if the connection is closed already.
     */
    of: (request: IncomingMessage): string => all(request, isTrusted).at(-1) ?? '',
    /** Finds the host that the client requested; behind trusted proxies, the host that they name. */
    hostOf(request: IncomingMessage): string {
      const named = request.headers['x-forwarded-host'];
      const isNamed = typeof named === 'string' && named !== '' && isProxy(addressOf(request));
      if (!isNamed) return statedHost(request);
      // The last host was added by the proxy that connects to us.
      return named.slice(named.lastIndexOf(',') + 1).trim();
    },
  };
}
