import { maxBodyBytes } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import { ownCredentials, validRequest } from '../../packages/server/test/valid-request.ts';
import type { FullGame } from '../../packages/server/test/full-game.ts';
import type { TestAccount } from '../../packages/server/test/test-account.ts';
import { SHAPES } from './shapes.ts';

/** A request whose bytes are sent in one piece. */
export interface Candidate {
  operation: Operation;
  name: string;
  method: string;
  path: string;
  headers: readonly string[];
  /** Makes the body only when the request is sent, because it can have megabytes. */
  makeBody(): string;
}

export interface Caller {
  game: FullGame;
  administrator: TestAccount;
}

/** The size of a long path or header. Node reads at most 16 KB of path and headers. */
const HEAD_BYTES = 14_000;
const MAX_EVENTS = 100;
const MAX_PROPERTIES_BYTES = 32 * 1024;

/**
 * Makes requests that may take the server the most time. A body has the largest size that the operation
 * accepts.
 */
export function* makeCandidates(operation: Operation, caller: Caller): Generator<Candidate> {
  const { game, administrator } = caller;
  const { path, body } = validRequest(operation, game.params);
  const { key } = ownCredentials(operation, game);
  const token = operation.access === 'administrator' ? administrator.token : game.owner.token;
  const headers = [
    ...(key === undefined ? [] : [`x-game-api-key: ${key}`]),
    ...(key !== undefined || operation.access === 'anyone'
      ? []
      : [`authorization: Bearer ${token}`]),
  ];
  const candidate = (name: string, changes: Partial<Candidate>): Candidate => ({
    operation,
    name,
    method: operation.method,
    path,
    headers,
    makeBody: () => (body ? JSON.stringify(body) : ''),
    ...changes,
  });
  if (body) {
    for (const [name, makeBody] of makeBodies(operation, body)) yield candidate(name, { makeBody });
  }
  if (operation.params) {
    const [bare] = path.split('?');
    const cut = bare!.lastIndexOf('/') + 1;
    yield candidate('a long path', {
      path: bare!.slice(0, cut) + '%F0%9F%A6%8A'.repeat(HEAD_BYTES / 12),
    });
  }
  // Operations that change something are called only with the bodies and the long path above.
  if (operation.method !== 'GET') return;
  for (const [name, query] of makeQueries(operation)) {
    yield candidate(name, { path: `${path}${path.includes('?') ? '&' : '?'}${query}` });
  }
  for (const [name, more] of makeHeaders()) {
    yield candidate(name, { headers: [...headers, ...more] });
  }
}

function* makeBodies(
  operation: Operation,
  valid: Record<string, unknown>,
): Generator<[name: string, makeBody: () => string]> {
  const bytes = maxBodyBytes(operation);
  const { properties = {} } = (operation.body ?? {}) as { properties?: Record<string, object> };
  // The validation also visits unknown members, so an unknown member may hold the large value too.
  const places = [
    'unknown',
    ...Object.keys(properties).filter((name) => isFree(properties[name]!)),
  ];
  for (const shape of SHAPES) {
    yield [shape.name, () => shape.make(bytes)];
    for (const place of places) {
      const { [place]: _replaced, ...others } = valid;
      const start =
        JSON.stringify(others).slice(0, -1) + (Object.keys(others).length > 0 ? ',' : '');
      const frame = Buffer.byteLength(`${start}"${place}":}`);
      yield [`${shape.name} in ${place}`, () => `${start}"${place}":${shape.make(bytes - frame)}}`];
    }
    if (operation.id !== 'trackEvents') continue;
    yield [`events of ${shape.name}`, () => writeEvents(shape.make(MAX_PROPERTIES_BYTES - 100))];
  }
}

function writeEvents(text: string): string {
  const event = `{"event_name":"a","session_id":"b","properties":{"c":${text}}}`;
  return `[${Array(MAX_EVENTS).fill(event).join(',')}]`;
}

/** Tells whether a value of this schema may be an object or an array. */
const isFree = (schema: object) =>
  !('type' in schema) || schema.type === 'object' || schema.type === 'array';

function* makeQueries({ query }: Operation): Generator<[name: string, query: string]> {
  yield ['many parameters', 'a&'.repeat(HEAD_BYTES / 2)];
  yield ['one parameter again and again', 'limit=1&'.repeat(HEAD_BYTES / 8)];
  yield ['many different parameters', Array.from({ length: 2_000 }, (_, i) => `k${i}=1`).join('&')];
  yield ['broken percent signs', '%&%a=%'.repeat(HEAD_BYTES / 6)];
  yield ['brackets', 'a[b][c]=1&'.repeat(HEAD_BYTES / 10)];
  for (const name of Object.keys(query?.properties ?? {})) {
    yield [`a long ${name}`, `${name}=${'x'.repeat(HEAD_BYTES)}`];
    yield [`${name} of digits`, `${name}=${'9'.repeat(HEAD_BYTES)}`];
    yield [`${name} of brackets`, `${name}=${'['.repeat(HEAD_BYTES)}`];
    yield [`${name} of lists`, `${name}=[${'{},'.repeat(HEAD_BYTES / 3 - 1)}0]`];
    const cursor = Buffer.from(`[${'"a",'.repeat(2_000)}"a"]`).toString('base64url');
    yield [`${name} of texts in base64`, `${name}=${cursor}`];
  }
}

function* makeHeaders(): Generator<[name: string, headers: string[]]> {
  yield ['many headers', Array.from({ length: 1_200 }, (_, i) => `a${i}: 1`)];
  yield ['one header again and again', Array(1_200).fill('accept: a')];
  for (const [name, unit] of [
    ['accept', 'text/html;q=0.1,'],
    ['accept-encoding', 'gzip;q=1,'],
    ['content-type', 'a/b;charset="'],
    ['cookie', 'a=b;'],
    ['if-none-match', '"a",'],
    ['x-forwarded-for', '1,'],
    ['x-forwarded-for', '::ffff:1.2.3.4, '],
    ['origin', 'http://a.'],
    ['x-request-id', 'a'],
    ['range', 'bytes=0-1,'],
    ['expect', '100-continue,'],
  ] as const) {
    yield [`a long ${name}`, [`${name}: ${unit.repeat(HEAD_BYTES / unit.length)}`]];
  }
  for (const unit of ['Bearer ', '.', 'a.b.', 'e30.']) {
    yield [
      `a long token of ${unit}`,
      [`authorization: Bearer ${unit.repeat(HEAD_BYTES / unit.length)}`],
    ];
  }
}

/** Writes a request as HTTP. */
export function writeRequest(
  { method, path, headers, operation }: Candidate,
  body: Buffer,
): Buffer {
  const ip = Array.from({ length: 3 }, () => Math.floor(Math.random() * 250)).join('.');
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: a',
    'connection: close',
    `x-forwarded-for: 10.${ip}`,
    ...(operation.body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
