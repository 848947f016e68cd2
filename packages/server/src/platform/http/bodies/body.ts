import type { IncomingMessage } from 'node:http';
import { isForOwnPages } from '@overworld/contract/operation';
import { badRequest } from '../../errors.ts';
import {
  compressed,
  isScannedAhead,
  readJsonBody,
  refuseOtherEncodings,
  scanAhead,
} from '../../json/json-text.ts';
import type { HeldCounts } from '../../workers/counts/held-counts.ts';
import type { Exchange } from '../exchange.ts';
import { createBodyReader } from './read-body.ts';

/**
 * Makes the parser of request bodies. The parser checks that the bytes are UTF-8, and returns the parsed
 * JSON or, for operations that validate the body themselves, the bytes. It returns undefined when the
 * request has no body. A compressed body is answered 415 before it is read. A body that arrived together with its headers is parsed without a promise.
 */
export function createBodyParser(held: HeldCounts): (exchange: Exchange) => unknown {
  const readBody = createBodyReader(held);
  return (exchange) => {
    if (!hasBody(exchange)) return undefined;
    if (exchange.route.operation?.body !== undefined) refuseCompressed(exchange.request);
    const bytes = readBody(exchange);
    if (bytes instanceof Promise) return bytes.then((received) => parse(exchange, received));
    return parse(exchange, bytes);
  };
}

/** Tells whether the request has a body. @throws ApiError 400 when the Content-Type is malformed. */
function hasBody({ request: { method, headers } }: Exchange): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE') return false;
  const type = headers['content-type'];
  if (type === JSON_TYPE) return true;
  if (type !== undefined && !MEDIA_TYPE.test(type)) throw wrongType();
  const length = headers['content-length'] ?? '0';
  return type !== undefined || headers['transfer-encoding'] !== undefined || length !== '0';
}

function parse({ request, route: { operation } }: Exchange, bytes: Buffer): unknown {
  if (operation && isForOwnPages(operation)) refuseOtherTypes(request);
  if (operation?.body === undefined) return undefined;
  if (bytes.length === 0) throw badRequest('The request body is missing');
  refuseOtherTypes(request);
  refuseOtherEncodings(bytes);
  if (operation.body_validation !== 'handler') return readJsonBody(bytes).value;
  if (!isScannedAhead(bytes)) return bytes;
  return scanAhead(bytes, operation.raw_member ?? null).then(() => bytes);
}

const JSON_TYPE = 'application/json';
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

const wrongType = () => badRequest('Content-Type must be application/json');

function refuseCompressed({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined && !/^(identity)?$/i.test(coding)) throw compressed();
}

function refuseOtherTypes({ headers }: IncomingMessage): void {
  if (headers['content-type'] === JSON_TYPE) return;
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const charset = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith('charset='));
  if (type.trim().toLowerCase() !== JSON_TYPE) throw wrongType();
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw badRequest('The charset of Content-Type must be utf-8');
  }
}
