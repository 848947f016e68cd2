import { makeEtag, matchesEtag } from './etag.ts';
import type { Exchange } from './exchange.ts';

/** Sends a file that clients cache and validate at each use; while it is unchanged, the answer is 304. */
export function sendCached(exchange: Exchange, type: string, bytes: Buffer): void {
  const etag = makeEtag(bytes);
  exchange.setHeader('etag', etag);
  exchange.setHeader('cache-control', 'no-cache');
  if (matchesEtag(exchange.request.headers['if-none-match'], etag)) return exchange.send(304);
  exchange.setHeader('content-type', type);
  exchange.send(200, bytes);
}
