import type { FastifyInstance } from 'fastify';
import { badRequest } from '../../errors.ts';
import type { Connections } from './connections.ts';

/**
 * Refuses requests that Node and a proxy in front may read in different ways. A request names its
 * host once. A request for another protocol is answered in HTTP/1.1 and closes its connection, because
 * Node drops bytes that came in one piece with it.
 */
export function checkFraming(
  app: FastifyInstance,
  connections: Pick<Connections, 'discardRest'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, headers, httpVersion } = request.raw;
    if (headers.upgrade !== undefined) reply.header('Connection', 'close');
    const hosts = countHosts(rawHeaders);
    if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return done();
    done(badRequest(`A request has one Host header, this one has ${hosts}`));
  });
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete && !(Number(raw.headers['content-length']) <= SMALL_REST_BYTES)) {
      // Otherwise Node would close the connection after the answer, while the client still sends.
      reply.header('Connection', 'keep-alive');
      connections.discardRest(raw, reply.raw);
    }
    done(null, payload);
  });
}

/** Node itself reads a rest of at most this length, within the time limit of a request. */
const SMALL_REST_BYTES = 64 * 1024;

/** @param raw Names and values in turns. The parsed headers have only the first `Host`. */
function countHosts(raw: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
