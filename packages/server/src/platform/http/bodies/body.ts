import { isForOwnPages } from '@overworld/contract/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HeldCounts } from '../../workers/counts/held-counts.ts';
import { badRequest } from '../../errors.ts';
import { readJsonBody, refuseOtherEncodings, scanAhead } from '../../json/json-text.ts';
import { createBodyReader } from './read-body.ts';

/**
 * Replaces Fastify's body parsers by ours, which checks that the bytes are UTF-8. It gives the parsed
 * JSON or, for operations that validate by themselves, the bytes.
 */
export function useBodyParser(app: FastifyInstance, held: HeldCounts): void {
  app.removeAllContentTypeParsers();
  const readBody = createBodyReader(held);
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const {
      bodyLimit,
      config: { operation },
    } = request.routeOptions;
    const bytes = await readBody(request, bodyLimit);
    if (operation && isForOwnPages(operation)) refuseOtherContentTypes(request);
    if (operation?.body === undefined) return undefined;
    if (bytes.length === 0) throw badRequest('The request body is missing');
    refuseOtherContentTypes(request);
    refuseOtherEncodings(bytes);
    if (operation.body_validation !== 'handler') return readJsonBody(bytes).value;
    await scanAhead(bytes, operation.raw_member ?? null);
    return bytes;
  });
}

function refuseOtherContentTypes(request: FastifyRequest): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith('charset='));
  const isJson = type.trim().toLowerCase() === 'application/json';
  if (!isJson || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    throw badRequest('Content-Type must be application/json');
  }
}
