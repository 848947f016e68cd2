import { verifyIdToken } from '../../platform/login-providers/id-token.ts';
import { createIssuers, discover } from '../../platform/login-providers/issuers.ts';
import type { Discovered } from '../../platform/login-providers/issuers.ts';
import { createProviderCalls } from '../../platform/login-providers/provider-calls.ts';
import type {
  ProviderCalls,
  ProviderFetch,
} from '../../platform/login-providers/provider-calls.ts';
import { networkOf } from '../../platform/network/network-address.ts';
import type { StaffLoginSettings } from '../../platform/staff-login-settings.ts';
import { challengeOf } from './browser-secret.ts';
import type { BrowserSecret } from './browser-secret.ts';
import { addLeftOut, leavesOut, readIdentity } from './claims.ts';
import type { Identity, IdTokenClaims } from './claims.ts';
import { endpoint, exchangeCode, readUserInfo } from './code-exchange.ts';
import { loginRefused } from './login-refused.ts';

/** The discovery document is read again after this time. */
const DOCUMENT_VALID_MS = 600_000;

/** The page to which the provider sends the browser. */
const RETURN_PATH = '/login/identity';

/** The answer that the provider gave to the browser. */
export interface GivenCode {
  code: string;
  /** The issuer, if the provider names it (RFC 9207). */
  iss?: string | undefined;
}

/**
 * Makes the client of the studio's OpenID Connect issuer.
 * @param public_url The address of the dashboard, to which the provider returns the browser.
 */
export function createProvider(settings: StaffLoginSettings, public_url: string) {
  const { issuer, client_id, scopes: scope } = settings;
  const redirect_uri = `${public_url}${RETURN_PATH}`;
  // The operator has chosen the issuer, which may be in the network of the installation.
  const calls: ProviderCalls = createProviderCalls(true);
  const issuers = createIssuers();
  const readDocument = createDocumentReader(issuer);

  return {
    /**
     * Makes the address to which the browser goes.
     * @param fresh True if the provider must ask for the credentials again.
     * @throws ApiError 503 when the provider gives no usable document.
     */
    async begin(ip: string, secret: BrowserSecret, fresh: boolean): Promise<string> {
      return calls.run(networkOf(ip), issuer, async (fetch) => {
        const { authorization_endpoint } = await readDocument(fetch);
        const url = endpoint('authorization_endpoint', authorization_endpoint, issuer);
        const parameters = {
          response_type: 'code',
          client_id,
          redirect_uri,
          scope,
          state: secret.state,
          nonce: secret.nonce,
          code_challenge: challengeOf(secret.verifier),
          code_challenge_method: 'S256',
          ...(fresh && { prompt: 'login', max_age: '0' }),
        };
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        return url.href;
      });
    },

    /**
     * Exchanges the code for an ID token, and checks the token.
     * @throws ApiError 401 when the code or the token is not valid, 403 when the provider leaves out the groups,
     * 503 when the provider gives no usable answer.
     */
    async prove(ip: string, { code, iss }: GivenCode, secret: BrowserSecret): Promise<Identity> {
      if (iss !== undefined && iss !== issuer) {
        throw loginRefused('This login is of another identity provider');
      }
      return calls.run(networkOf(ip), issuer, async (fetch) => {
        const opened = { document: await readDocument(fetch), fetch };
        const code_verifier = secret.verifier;
        const tokens = await exchangeCode(settings, opened, { code, redirect_uri, code_verifier });
        const keys = issuers.keysOf({ issuer, jwks_url: opened.document.jwks_uri }, fetch);
        const claims = await verifyIdToken<IdTokenClaims>(tokens.id_token, keys, {
          issuer,
          audiences: [client_id],
          audience_name: 'client',
        });
        if (claims.nonce !== secret.nonce) {
          throw loginRefused('The nonce is not that of this login');
        }
        // A token for several clients, or one that another client asked for, names the asking client.
        const isShared = Array.isArray(claims.aud) && claims.aud.length > 1;
        if ((isShared || claims.azp !== undefined) && claims.azp !== client_id) {
          throw loginRefused('This ID token was made for another client');
        }
        const all = leavesOut(claims, settings)
          ? addLeftOut(claims, await readUserInfo(issuer, opened, tokens, claims.sub), settings)
          : claims;
        return readIdentity(all, settings);
      });
    },
  };
}

/** Makes the function that reads the discovery document. Logins that need it at the same time share one request. */
function createDocumentReader(issuer: string) {
  let known: { document: Discovered; until_ms: number } | null = null;
  let reading: Promise<Discovered> | null = null;

  return async (fetch: ProviderFetch): Promise<Discovered> => {
    if (known !== null && known.until_ms > performance.now()) return known.document;
    reading ??= discover(issuer, fetch)
      .then((document) => {
        known = { document, until_ms: performance.now() + DOCUMENT_VALID_MS };
        return document;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
}
