import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { CLIENT } from './forging-issuer.ts';

/** Characters that a header must encode. */
export const CLIENT_SECRET = 'a secret: with % and +';

/**
 * Starts a real OpenID Connect server. It lets in everybody who types a name, with any password: `mira` has the
 * address `mira@studio.example`, and is in the groups of `groups`.
 */
export async function startRealProvider() {
  const http = createServer();
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    /** Serves logins that return to this address. */
    serve(redirect_uri: string, groups: readonly string[] = []) {
      const provider = new Provider(url, {
        clients: [
          { client_id: CLIENT, client_secret: CLIENT_SECRET, redirect_uris: [redirect_uri] },
        ],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'groups'],
        },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: () => ({ sub, email: `${sub}@studio.example`, email_verified: true, groups }),
        }),
        cookies: { keys: ['test'] },
      });
      http.on('request', provider.callback());
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
