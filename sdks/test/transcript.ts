import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A series of calls of the SDK, with exactly the HTTP exchanges that each call must make. */
export interface Transcript {
  description: string;
  /** Settings of the SDK that differ from the defaults of the tests. */
  options?: { max_queued_events?: number; player_id?: string; app_version?: string };
  /** The names of SDKs that do not support these calls yet. */
  missing_in?: string[];
  steps: Step[];
}

export interface Step {
  call: string;
  args?: Record<string, unknown>;
  exchanges?: Exchange[];
  /** The expected result of the call. If it is left out, the result is not checked. */
  result?: unknown;
  /** The expected error of the call. */
  error?: { code: string; status: number };
}

export interface Exchange {
  request: {
    method: string;
    path: string;
    /** The expected headers besides the API key and the content type. */
    headers?: Record<string, string>;
    body?: unknown;
  };
  answer: Answer;
  /** A function to run between the request and the answer. */
  meanwhile?: () => Promise<unknown>;
}

/**
 * An answer of the server. With `lost`, the request arrives, but the connection breaks without an answer. A
 * body that is a string is sent unchanged, like the error page of a proxy.
 */
type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | 'lost';

export const API_KEY = 'ow_dev_transcript';
const SDK_AND_VERSION = /^(typescript|godot|unity)\/\d+\.\d+\.\d+$/;
/** Headers that change the effect of a request. */
const MEANINGFUL_HEADERS = [
  'idempotency-key',
  'if-none-match',
  'overworld-app-version',
  'x-player-token',
];

/** Starts a server that gives the answers of a transcript and checks each request against it. */
export async function startScriptedServer() {
  /** The text that each `{name}` stands for, everywhere in the transcript. */
  const names = new Map<string, string>();
  let expected: Exchange[] = [];
  let last: Exchange | undefined;
  let problem: Error | undefined;
  let not_before = 0;

  const answerNext = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // While no other request is expected, the SDK may send lost events again. Such a request gets no answer
    // either.
    const isLost = last?.answer === 'lost' && last.request.path === '/v1/track';
    const isAgain = expected.length === 0 && isLost;
    const exchange = isAgain ? last : expected.shift();
    last = exchange;
    const actual = {
      method: request.method!,
      path: request.url!,
      headers: Object.fromEntries(
        MEANINGFUL_HEADERS.flatMap((name) => {
          const value = request.headers[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      body: chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined,
    };
    try {
      assert.ok(exchange, `not expected: ${JSON.stringify(actual)}`);
      const { headers = {}, ...rest } = exchange.request;
      hold(actual, { body: undefined, ...rest, headers }, 'request', names);
      assert.equal(request.headers['x-game-api-key'], API_KEY);
      assert.match(`${request.headers['overworld-sdk']}`, SDK_AND_VERSION);
      if (actual.body !== undefined) {
        assert.match(request.headers['content-type'] ?? '', /^application\/json/);
      }
      const early_ms = not_before - performance.now();
      assert.ok(early_ms <= 0, `it came ${early_ms} ms before the time that Retry-After asks for`);
    } catch (error) {
      problem ??= error as Error;
    }
    await exchange?.meanwhile?.();
    const answer = exchange?.answer ?? { status: 500, body: { error: 'not expected' } };
    if (answer === 'lost') return void request.socket.destroy();
    const seconds = Number(answer.headers?.['retry-after'] ?? 0);
    if (seconds > 0) not_before = performance.now() + seconds * 1_000;
    const isPage = typeof answer.body === 'string';
    const type = isPage ? 'text/html' : 'application/json';
    const content = answer.body === undefined ? {} : { 'content-type': type };
    response.writeHead(answer.status, { connection: 'close', ...content, ...answer.headers });
    response.end(isPage ? answer.body : JSON.stringify(answer.body));
  };

  const server = createServer((request, response) => void answerNext(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect(exchanges: Exchange[]) {
      expected = [...exchanges];
    },
    /** Throws unless all expected requests have arrived, and no others. */
    verify() {
      if (problem) throw problem;
      assert.deepEqual(expected, [], 'these requests did not come');
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Checks that a value is as expected. In `expected`, `{time}` stands for any time, `{time:2030}` for a time
 * whose text begins with 2030, and `{whole}` for a whole number that is not negative. Any other name in
 * braces stands for a text, which is the same everywhere and differs from the texts of other names.
 */
export function hold(actual: unknown, expected: unknown, at: string, names: Map<string, string>) {
  const name = typeof expected === 'string' ? /^\{([\w:-]+)\}$/.exec(expected)?.[1] : undefined;
  if (name?.startsWith('time')) {
    assert.ok(String(actual).startsWith(name.slice('time:'.length)), `${at} is ${actual}`);
    assert.match(String(actual), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, at);
  } else if (name === 'whole') {
    assert.ok(Number.isInteger(actual) && (actual as number) >= 0, at);
  } else if (name !== undefined) {
    assert.ok(typeof actual === 'string' && actual !== '', `${at} is no text`);
    const isTaken = [...names].some(([other, value]) => other !== name && value === actual);
    assert.ok(!isTaken, `${at} is the text of another name`);
    assert.equal(actual, names.get(name) ?? actual, `${at} is not the {${name}} of before`);
    names.set(name, actual);
  } else if (expected !== null && typeof expected === 'object') {
    assert.ok(actual !== null && typeof actual === 'object', `${at} is no object or list`);
    const keys = (value: object) => Object.keys(value).sort();
    assert.deepEqual(keys(actual), keys(expected), `members of ${at}`);
    for (const [key, value] of Object.entries(expected)) {
      hold((actual as Record<string, unknown>)[key], value, `${at}.${key}`, names);
    }
  } else {
    assert.deepEqual(actual, expected, at);
  }
}
