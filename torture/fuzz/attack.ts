import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { FILTER_OPERATORS } from '@overworld/contract/players/filter-operators';
import type { FullGame } from '../../packages/server/test/full-game.ts';
import { validRequest } from '../../packages/server/test/valid-request.ts';
import type { TestAccount } from '../../packages/server/test/test-account.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { writeBody } from './draft.ts';
import type { Draft } from './draft.ts';
import { mutate } from './mutations.ts';

/** The games and the account that attacks use in their requests. */
export interface Targets {
  /** The attacker's own game. */
  ours: FullGame;
  /** The game of another studio, whose ids the attacker knows. */
  theirs: FullGame;
  administrator: TestAccount;
}

/** A request of an attack, ready to be sent. */
export interface Attack {
  operation: Operation;
  method: string;
  path: string;
  headers: [string, string][];
  body: Buffer | null;
  /**
   * Raw bytes, which are sent instead of the method, path, headers and body; or null. They need not be valid
   * HTTP.
   */
  bytes: Buffer | null;
  /** True if the request is sent by an administrator, who sees every game. */
  by_administrator: boolean;
}

/**
 * Makes attack number `index`. The same seed and index give the same attack, except for ids that the server
 * assigns.
 */
export function makeAttack(seed: number, index: number, targets: Targets): Attack {
  const random = createRandom(Math.imul(seed, 0x9e37_79b1) + index);
  const operation = pickOperation(random);
  const by_administrator = operation.access === 'administrator' && random.next() < 0.8;
  const draft = makeDraft(operation, by_administrator, targets, random);
  const count = random.pick([0, 1, 1, 1, 2, 2, 3]);
  for (let round = 0; round < count; round++) mutate(draft, random);
  const { method, headers } = draft;
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&');
  const path = query === '' ? draft.path : `${draft.path}?${query}`;
  const body = writeBody(draft);
  const bytes = random.next() < 0.03 ? breakFraming({ method, path, headers, body }, random) : null;
  return { operation, method, path, headers, body, bytes, by_administrator };
}

/** Picks an operation. Operations that end a session or delete a game are rarer than all others. */
function pickOperation(random: Random): Operation {
  const operation = random.pick(OPERATIONS);
  const isEnding = ['deleteGame', 'changePassword', 'endSession', 'logOut'].includes(operation.id);
  return isEnding && random.next() < 0.9 ? pickOperation(random) : operation;
}

function makeDraft(
  operation: Operation,
  by_administrator: boolean,
  { ours, theirs, administrator }: Targets,
  random: Random,
): Draft {
  const params = { ...ours.params };
  if (!by_administrator && random.next() < 0.3) {
    const name = random.pick(Object.keys(params));
    params[name] = theirs.params[name]!;
  }
  const { path, body } = validRequest(operation, params);
  const [bare = '', query = ''] = path.split('?');
  const ip = Array.from({ length: 3 }, () => random.below(256)).join('.');
  const headers: [string, string][] = [['x-forwarded-for', `10.${ip}`]];
  const token = by_administrator ? administrator.token : ours.owner.token;
  const byServer = operation.access === 'server_key';
  if (byServer) headers.push(['x-game-api-key', ours.server_key]);
  const byKey = operation.access === 'key' || operation.access === 'key_or_account';
  if (byKey && random.next() < 0.9) {
    headers.push(['x-game-api-key', random.pick([ours.production_key, ours.development_key])]);
  }
  if ((!byKey && !byServer) || operation.access === 'key_or_account' || random.next() < 0.1) {
    if (random.next() < 0.95) headers.push(['authorization', `Bearer ${token}`]);
  }
  if (body) headers.push(['content-type', 'application/json']);
  return {
    method: operation.method,
    path: bare,
    query: [
      ...(query === '' ? [] : query.split('&')).map(splitPair),
      ...listOptions(operation, random),
    ],
    headers,
    body: body ? { value: structuredClone(body) } : null,
  };
}

const splitPair = (pair: string): [string, string] => {
  const place = pair.indexOf('=');
  return [pair.slice(0, place), pair.slice(place + 1)];
};

interface Parameter {
  enum?: string[];
  type?: string;
  format?: string;
  minimum?: number;
}

/** Chooses some of the query parameters that an operation takes, with valid values. */
function listOptions(operation: Operation, random: Random): [string, string][] {
  return Object.entries(operation.query?.properties ?? {}).flatMap(([name, schema]) => {
    const value = sampleValue(name, schema as Parameter, random);
    return value === null || random.next() < 0.6 ? [] : [[name, encodeURIComponent(value)]];
  });
}

function sampleValue(name: string, schema: Parameter, random: Random): string | null {
  if (schema.enum) return random.pick(schema.enum);
  if (schema.type === 'integer') return String((schema.minimum ?? 0) + random.below(3));
  if (schema.format === 'date') {
    return new Date(Date.now() - random.below(100) * 86_400_000).toISOString().slice(0, 10);
  }
  if (name === 'filter') {
    const value = random.pick<unknown>([1, 'a', null, true, [1], { a: 1 }]);
    return JSON.stringify([{ property: 'level', operator: random.pick(FILTER_OPERATORS), value }]);
  }
  if (name === 'events') return JSON.stringify([{ event_name: 'a event', at_least: 1 }]);
  const texts: Record<string, string> = {
    group_by: 'level',
    property: 'level',
    breakdown: 'level',
  };
  return texts[name] ?? (name === 'search' || name === 'prefix' || name === 'tag' ? 'a' : null);
}

/** Writes a request as bytes with broken HTTP framing. */
function breakFraming(
  { method, path, headers, body }: Pick<Attack, 'method' | 'path' | 'headers' | 'body'>,
  random: Random,
): Buffer {
  const text = body?.toString('latin1') ?? '';
  const lines = [
    'host: 127.0.0.1',
    'connection: close',
    ...headers.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, ' ')}`),
  ];
  const length = `content-length: ${text.length}`;
  const [request_line, head, rest] = random.pick<[string, string[], string]>([
    [`${method} ${path} HTTP/1.1`, [...lines, `content-length: ${text.length + 9}`], text],
    [`${method} ${path} HTTP/1.1`, [...lines, 'content-length: 1'], text],
    [`${method} ${path} HTTP/1.1`, [...lines, length, 'content-length: 7'], text],
    [`${method} ${path} HTTP/1.1`, [...lines, 'content-length: -1'], text],
    [`${method} ${path} HTTP/1.1`, [...lines, length, 'transfer-encoding: chunked'], text],
    [`${method} ${path} HTTP/1.1`, [...lines, 'transfer-encoding: chunked'], 'zz\r\n'],
    [
      `${method} ${path} HTTP/1.1`,
      [...lines, 'transfer-encoding: chunked'],
      `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    ],
    [`${method} ${path} HTTP/1.1`, [...lines, 'no colon', length], text],
    [`${method} ${path} HTTP/1.1`, [...lines, 'x: a\u0000b', length], text],
    [`${method} ${path} HTTP/1.1`, [...lines, `x: ${'y'.repeat(20_000)}`, length], text],
    [`${method} ${path} HTTP/9.9`, lines, ''],
    [`${method} ${path}`, lines, ''],
    [`${method} http://evil.example${path} HTTP/1.1`, [...lines, length], text],
    [`${method} ${path} x HTTP/1.1`, lines, ''],
    [`${method}\u0000 ${path} HTTP/1.1`, lines, ''],
    [`NONSENSE ${path} HTTP/1.1`, lines, ''],
    [`${method} ${'/x'.repeat(9_000)} HTTP/1.1`, lines, ''],
  ]);
  return Buffer.from(`${request_line}\r\n${head.join('\r\n')}\r\n\r\n${rest}`, 'latin1');
}
