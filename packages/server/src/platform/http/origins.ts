import cors from '@fastify/cors';
import { isForOwnPages, takesKey } from '@overworld/contract/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { isLocalUrl, isLoopback } from '../network/loopback.ts';

/** Response headers that web games may read. */
const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'X-Request-Id',
  // The SDK corrects the times of events by this header.
  'Date',
];

/**
 * Decides on requests from pages of other origins. They may call operations that take an API key,
 * as CORS_ORIGINS says, and change nothing else. A preflight is answered for the operation that it
 * asks for; for an operation that they may not call it is 404.
 */
export async function guardOrigins(
  app: FastifyInstance,
  config: Pick<Config, 'cors_origins' | 'public_url' | 'host' | 'trust_proxy'>,
): Promise<void> {
  const { cors_origins } = config;
  const isForeign = makeForeignCheck(config);
  const openRoutes: { method: string; path: RegExp }[] = [];

  app.addHook('onRoute', (route) => {
    const operation = route.config?.operation;
    if (operation === undefined) return;
    if (takesKey(operation)) {
      const pattern = operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
      openRoutes.push({ method: operation.method, path: new RegExp(`^${pattern}$`) });
    } else if (isForOwnPages(operation)) {
      // Runs after authentication and the rate limit, and before the body is read.
      route.preParsing = async (request) => {
        if (isForeign(request)) throw fromAnotherSite();
      };
    }
  });

  const isOpenPreflight = ({ method, headers, url }: FastifyRequest) => {
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || headers.origin === undefined || asked === undefined) return false;
    const [path = ''] = url.split('?', 1);
    return openRoutes.some(
      (route) => (asked === 'HEAD' ? 'GET' : asked) === route.method && route.path.test(path),
    );
  };

  await app.register(cors, {
    delegator: (request, respond) => {
      const { operation } = request.routeOptions.config;
      const isOpen = operation === undefined ? isOpenPreflight(request) : takesKey(operation);
      respond(null, {
        origin: isOpen ? cors_origins : false,
        methods: ['GET', 'POST', 'PUT', 'DELETE'],
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: 86_400,
      });
    },
  });
}

const fromAnotherSite = () =>
  new ApiError(
    403,
    'The request comes from a page of another site. If it is a page of this server, set PUBLIC_URL to the address that you see in the browser',
  );

/** Tells the requests that a browser sends for a page of another site. */
function makeForeignCheck({
  public_url,
  host,
  trust_proxy,
}: Pick<Config, 'public_url' | 'host' | 'trust_proxy'>) {
  const own_origin = new URL(public_url).origin;
  // Whoever owns a name can point it at 127.0.0.1 (DNS rebinding). A server that this machine alone
  // reaches has no names but this machine's.
  const isLocal = isLoopback(host) && trust_proxy === false;
  return (request: FastifyRequest): boolean => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    // A page cannot set this header, and it is right also behind a proxy that changes Host.
    if (site === 'same-origin') return false;
    if (origin === undefined) return site === 'same-site' || site === 'cross-site';
    if (origin === own_origin) return false;
    return !isSentTo(request.host, origin) || (isLocal && !isLocalUrl(origin));
  };
}

/** Takes the page's scheme: behind a proxy that ends TLS, ours differs. */
function isSentTo(host: string, origin: string): boolean {
  const [scheme] = origin.split('//', 1);
  return URL.parse(`${scheme}//${host}`)?.origin === origin;
}
