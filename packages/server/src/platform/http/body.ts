import { isForOwnPages } from '@overworld/contract/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';
import { createBodyReader } from './read-body.ts';
import { decodeUtf8, parseJson, refuseUnstorable } from './json-text.ts';

/** Request bodies are read up to this size unless an operation says otherwise. */
export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/**
 * Replaces Fastify's body parsers by ours: bytes in, checked to be UTF-8, then either the parsed
 * JSON or, for operations that validate by themselves, the text.
 */
export function useBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const readBody = createBodyReader();
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
    const text = decodeUtf8(bytes);
    if (operation.body_validation === 'handler') return text;
    const value = parseJson(text);
    refuseUnstorable(value, text);
    return value;
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
