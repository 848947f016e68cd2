import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../errors.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Refuses requests that Node and a proxy in front may read in different ways. A request names its
 * host once. A request for another protocol is answered in HTTP/1.1 and closes its connection, because
 * Node drops bytes that came in one piece with it.
 */
export function checkFraming(exchange: Exchange): void {
  const { rawHeaders, headers, httpVersion } = exchange.request;
  if (headers.upgrade !== undefined) exchange.setHeader('connection', 'close');
  const hosts = countHosts(rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  throw badRequest(`A request has one Host header, this one has ${hosts}`);
}

/** Node itself reads a rest of at most this length, within the time limit of a request. */
const SMALL_REST_BYTES = 64 * 1024;

/**
 * True if the rest of a refused body is long, or of unknown length. Node would close the connection
 * after the answer, while the client still sends.
 */
export const hasLargeRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && !(Number(headers['content-length']) <= SMALL_REST_BYTES);

/** @param raw Names and values in turns. The parsed headers have only the first `Host`. */
function countHosts(raw: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
