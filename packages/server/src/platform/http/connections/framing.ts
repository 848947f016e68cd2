import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../errors.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Refuses requests that Node and a proxy in front of it may read in different ways: a request must name its
 * host exactly once. A request to change to another protocol is answered in HTTP/1.1, and then its connection
 * closes, because Node drops further bytes that arrived together with such a request.
 */
export function checkFraming(exchange: Exchange): void {
  const { rawHeaders, headers, httpVersion } = exchange.request;
  if (headers.upgrade !== undefined) exchange.setHeader('connection', 'close');
  const hosts = countHosts(rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  throw badRequest(`A request has one Host header, this one has ${hosts}`);
}

/**
 * If the rest of a refused body is at most this long, Node itself reads the rest, within the time limit of
 * a request.
 */
const SMALL_REST_BYTES = 64 * 1024;

/**
 * Tells whether the rest of a refused body is long or of unknown length. Node would close the connection
 * after the answer, while the client is still sending this rest.
 */
export const hasLargeRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && !(Number(headers['content-length']) <= SMALL_REST_BYTES);

/** @param raw Alternating names and values of headers. The parsed headers contain only the first `Host`. */
function countHosts(raw: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
