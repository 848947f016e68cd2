import type { FastifyInstance } from 'fastify';
import { badRequest } from '../../errors.ts';

/**
 * Settles what Node leaves open and a proxy in front may read in another way: a request names its
 * host once, and one that asks for another protocol is answered in this one and is the last of its
 * connection, because Node drops what came in one piece with it.
 */
export function settleFraming(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, headers, httpVersion } = request.raw;
    if (headers.upgrade !== undefined) reply.header('Connection', 'close');
    const hosts = countHosts(rawHeaders);
    if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return done();
    done(badRequest(`A request has one Host header, this one has ${hosts}`));
  });
}

/** @param raw Names and values in turns; Node drops all but the first from its parsed headers. */
function countHosts(raw: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
