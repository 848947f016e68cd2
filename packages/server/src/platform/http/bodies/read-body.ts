import type { IncomingMessage } from 'node:http';
import { isForOwnPages, MAX_BODY_BYTES } from '@overworld/contract/operation';
import { ApiError, badRequest, unavailable } from '../../errors.ts';
import type { InUseCounts } from '../../workers/counts/in-use-counts.ts';
import { networkOf } from '../../network/network-address.ts';
import type { Exchange } from '../exchange.ts';
import { createFairQueue } from '../../queue/fair-queue.ts';
import { createByteLimit } from '../byte-limits.ts';
import type { ByteLimit } from '../byte-limits.ts';
import {
  BODIES,
  LARGE_BODIES,
  LARGE_BODY_BYTES,
  LARGE_BODY_COUNTED_MS_PER_BYTE,
  LARGE_BODY_TURNS,
  UNCOUNTED_BODY_BYTES,
} from '../limits.ts';
import {
  compressed,
  isScannedAhead,
  readJsonBody,
  refuseOtherEncodings,
  scanAhead,
} from '../../json/parse-json.ts';

/**
 * Makes the parser of request bodies. The parser checks that the bytes are UTF-8, and returns the parsed
 * JSON or, for operations that validate the body themselves, the bytes. It returns undefined when the
 * request has no body. A compressed body is answered 415 before it is read. A body that arrived together with its headers is parsed without a promise.
 */
export function createBodyParser(inUse: InUseCounts): (exchange: Exchange) => unknown {
  const readBody = createBodyReader(inUse);
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

/** A body without Content-Length gets a buffer of this size at first. */
const FIRST_BYTES = 64 * 1024;

/**
 * Reads the body of a request, and waits for a turn if the body is large. Fails with ApiError 413 when the
 * body is too large, 503 when too many bodies are under way, or 400 when the client hangs up.
 */
type ReadBody = (exchange: Exchange) => Buffer | Promise<Buffer>;

/**
 * Makes the reader of bodies. It refuses a body with 503 if the caller's bytes under way would exceed the
 * caller's limit. A body with Content-Length is refused before it is read, a body without it while it
 * arrives.
 */
function createBodyReader(inUse: InUseCounts): ReadBody {
  const limit = createByteLimit(inUse, BODIES);
  const large = createByteLimit(inUse, LARGE_BODIES);
  const turns = createFairQueue(LARGE_BODY_TURNS);
  /**
   * Waits for the turn of a request whose large body has been received. The turn ends with the answer. If the
   * client hangs up, the request leaves the queue.
   */
  const takeLargeBodyTurn = async (exchange: Exchange) => {
    const owner = [networkOf(exchange.ip), exchange.counted_as];
    exchange.endLargeBodyTurn = await turns.take(owner, exchange.watchHangUp());
  };
  const countLarge = (bytes: number, ip: string) => {
    if (bytes <= LARGE_BODY_BYTES) return;
    const owners = [`ip:${networkOf(ip)}`];
    if (!large.take(owners, bytes)) throw tooManyBodies();
    setTimeout(() => large.give(owners, bytes), bytes * LARGE_BODY_COUNTED_MS_PER_BYTE).unref();
  };
  return (exchange) => {
    const { request: raw, ip, route } = exchange;
    const { max_body_bytes: max_bytes = MAX_BODY_BYTES } = route;
    const length = Number(raw.headers['content-length'] ?? NaN);
    if (length > max_bytes) throw tooLarge();
    // The whole body arrived while the request waited for its authentication.
    if (raw.complete) {
      const bytes = (raw.read() as Buffer | null) ?? Buffer.alloc(0);
      if (bytes.length > max_bytes) throw tooLarge();
      if (bytes.length <= LARGE_BODY_BYTES) return bytes;
      countLarge(bytes.length, ip);
      return takeLargeBodyTurn(exchange).then(() => bytes);
    }
    if (length <= UNCOUNTED_BODY_BYTES) return receive(raw, collectWhole(length));
    const isLengthKnown = !Number.isNaN(length);
    const counted = openCount(limit, exchange);
    try {
      if (isLengthKnown) {
        counted.add(length);
        countLarge(length, ip);
      }
    } catch (error) {
      counted.end();
      throw error;
    }
    const collector = isLengthKnown
      ? collectWhole(length)
      : collect(FIRST_BYTES, max_bytes, counted.add);
    const readInTurn = async () => {
      const bytes = await receive(raw, collector);
      if (!isLengthKnown) countLarge(bytes.length, ip);
      if (bytes.length > LARGE_BODY_BYTES) await takeLargeBodyTurn(exchange);
      return bytes;
    };
    return readInTurn().finally(counted.end);
  };
}

function openCount(limit: ByteLimit, { ip, counted_as }: Exchange) {
  const owners = [`ip:${networkOf(ip)}`];
  if (/^(key|account):/.test(counted_as)) owners.push(counted_as);
  let taken = 0;
  return {
    add(bytes: number) {
      if (!limit.take(owners, bytes)) throw tooManyBodies();
      taken += bytes;
    },
    end() {
      if (taken > 0) limit.give(owners, taken);
    },
  };
}

interface Collector {
  add(chunk: Buffer): void;
  end(): Buffer;
}

/**
 * Copies chunks into one buffer as they arrive, because a chunk of one byte would take 400 bytes of memory.
 * @param first_bytes The initial size of the buffer. It doubles whenever the buffer is full.
 */
function collect(
  first_bytes: number,
  max_bytes: number,
  count: (bytes: number) => void,
): Collector {
  let bytes = Buffer.allocUnsafeSlow(first_bytes);
  let received = 0;
  return {
    add(chunk) {
      const length = received + chunk.length;
      if (length > max_bytes) throw tooLarge();
      count(chunk.length);
      if (length > bytes.length) {
        const longer = Buffer.allocUnsafeSlow(Math.max(length, 2 * bytes.length));
        bytes.copy(longer, 0, 0, received);
        bytes = longer;
      }
      chunk.copy(bytes, received);
      received = length;
    },
    end: () => bytes.subarray(0, received),
  };
}

/** Collects a body of known length. Nearly all small bodies arrive in one chunk, which is not copied. */
function collectWhole(length: number): Collector {
  let bytes: Buffer | undefined;
  let received = 0;
  return {
    add(chunk) {
      if (chunk.length === length) bytes = chunk;
      else chunk.copy((bytes ??= Buffer.allocUnsafeSlow(length)), received);
      received += chunk.length;
    },
    end: () => bytes ?? Buffer.alloc(0),
  };
}

/** Receives a body. Rejects with ApiError 413 or 503 from the collector, or 400 when the client hangs up. */
function receive(request: IncomingMessage, collector: Collector): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const fail = (error: unknown) => {
      isOver = true;
      request.off('data', onData);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        collector.add(chunk);
      } catch (error) {
        fail(error);
      }
    };
    // Node also closes each request after its end. The listeners stay, because removing them costs more.
    const onClose = () => {
      if (!isOver) fail(badRequest('The request ended before its body did'));
    };
    if (request.destroyed) return onClose();
    request.on('data', onData).on('close', onClose);
    request.on('end', () => {
      if (isOver) return;
      isOver = true;
      resolve(collector.end());
    });
  });
}

const tooManyBodies = () =>
  unavailable('Too many requests are being received, try again in a second');
const tooLarge = () => new ApiError(413, 'The request body is too large');
