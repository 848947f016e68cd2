import type { IncomingMessage } from 'node:http';
import { ACCESS_TOKEN_PREFIX } from '@overworld/contract/access-tokens/limits';
import { ANSWER_MARK } from '@overworld/contract/answer-mark';
import { isReadByTokens, takesKey } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import { SERVER_KEY_PREFIX } from '../auth/api-keys.ts';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import type { Exchange } from './exchange.ts';
import { isLocalUrl, isLoopback } from '../network/loopback.ts';

/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'X-Request-Id',
  ANSWER_MARK,
  // With this header, the SDK corrects the times of events.
  'Date',
].join(', ');

const BY_ACCESS_TOKEN = new RegExp(`^Bearer +${ACCESS_TOKEN_PREFIX}`, 'i');

/**
 * Decides which requests from web pages of other origins are allowed. If CORS_ORIGINS allows an origin, its
 * pages may read the answers of operations that take an API key, and answers to access tokens that only read.
 * Pages of other origins may make no change with any other operation. If a preflight names another operation, the
 * answer is 404.
 */
export function createOrigins(
  config: Pick<Config, 'cors_origins' | 'public_url' | 'host' | 'trust_proxy'>,
  hostOf: (request: IncomingMessage) => string,
  findOperation: (method: string, url: string) => Operation | undefined,
) {
  const { cors_origins } = config;
  const isForeign = makeForeignCheck(config, hostOf);
  const allowedOrigin = (origin: string) => {
    if (cors_origins === '*') return '*';
    return cors_origins.includes(origin) ? origin : undefined;
  };
  const allow = (exchange: Exchange, origin: string) => {
    const allowed = allowedOrigin(origin);
    if (allowed !== undefined) exchange.addHeader('access-control-allow-origin', allowed);
    exchange.addHeader('access-control-expose-headers', EXPOSED_HEADERS);
  };
  return {
    /**
     * Adds the headers that a page of another origin needs to read the answer, if it may read it. An answer to a
     * server key gets none of these headers, because no page may use such a key.
     */
    admit(exchange: Exchange, origin: string, operation: Operation): void {
      const { 'x-game-api-key': key, authorization } = exchange.request.headers;
      const isAdmitted = takesKey(operation)
        ? typeof key !== 'string' || !key.startsWith(SERVER_KEY_PREFIX)
        : isReadByTokens(operation) && BY_ACCESS_TOKEN.test(authorization ?? '');
      if (isAdmitted) allow(exchange, origin);
    },
    /**
     * Must be called for each change that does not take an API key.
     * @throws ApiError 403 if a page of another site sent the request.
     */
    refuseForeign({ request }: Exchange) {
      if (isForeign(request)) throw fromAnotherSite();
    },
    /**
     * Answers a request if it is a preflight for an operation that takes an API key, or that reads with an access
     * token. A preflight never has the token, so the answer promises nothing about it.
     * @returns true if it was such a preflight, and is answered.
     */
    answerPreflight(exchange: Exchange): boolean {
      const { method, headers, url = '' } = exchange.request;
      const { origin, 'access-control-request-method': asked_method } = headers;
      if (method !== 'OPTIONS' || origin === undefined || asked_method === undefined) return false;
      const operation = findOperation(asked_method, url);
      if (operation === undefined) return false;
      const byKey = takesKey(operation);
      if (!byKey && !isReadByTokens(operation)) return false;
      allow(exchange, origin);
      exchange.setHeader('vary', 'Origin, Access-Control-Request-Headers');
      const methods = byKey ? 'GET, POST, PUT, DELETE' : 'GET';
      exchange.addHeader('access-control-allow-methods', methods);
      const asked_headers = headers['access-control-request-headers'];
      if (asked_headers !== undefined) {
        exchange.addHeader('access-control-allow-headers', asked_headers);
      }
      exchange.addHeader('access-control-max-age', 86_400);
      // Without this header, Safari waits for a body.
      exchange.addHeader('content-length', 0);
      exchange.send(204);
      return true;
    },
  };
}

const fromAnotherSite = () =>
  new ApiError(
    403,
    'The request comes from a page of another site. If it is a page of this server, set PUBLIC_URL to the address that you see in the browser',
  );

/** Makes the function that tells whether a page of another site sent a request. */
function makeForeignCheck(
  { public_url, host, trust_proxy }: Pick<Config, 'public_url' | 'host' | 'trust_proxy'>,
  hostOf: (request: IncomingMessage) => string,
) {
  const own_origin = new URL(public_url).origin;
  // The owner of a domain can point it at 127.0.0.1 (DNS rebinding). So a server that only this machine can
  // reach accepts only the names of this machine.
  const isLocal = isLoopback(host) && trust_proxy === false;
  return (request: IncomingMessage): boolean => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    // The browser sets this header, and pages cannot change it. It is right even if a proxy changes the
    // header Host.
    if (site === 'same-origin') return false;
    if (origin === undefined) return site === 'same-site' || site === 'cross-site';
    if (origin === own_origin) return false;
    return !isSentTo(hostOf(request), origin) || (isLocal && !isLocalUrl(origin));
  };
}

/**
 * Tells whether a page sent the request to its own origin. The comparison uses the scheme of the page for
 * both origins, because the scheme of this server differs behind a proxy that ends TLS.
 */
function isSentTo(host: string, origin: string): boolean {
  const [scheme] = origin.split('//', 1);
  return URL.parse(`${scheme}//${host}`)?.origin === origin;
}
