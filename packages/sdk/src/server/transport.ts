import { backOff, CODES, MAX_ATTEMPTS, MAX_RETRY_AFTER_MS } from '../http/transport.ts';
import { readRetryAfter, writeQuery } from '../http/transport.ts';
import { platform, wait } from '../http/platform.ts';
import { VERSION } from '../http/version.ts';
import { OverworldError } from './error.ts';
import type { ErrorCode } from './error.ts';

export interface Call {
  /** Parameters that are undefined are left out. */
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON. */
  body?: object;
  headers?: Record<string, string>;
  /** Time limit of one attempt, if it differs from that of the client. */
  timeoutMs?: number;
  /**
   * The error text that means success, if an earlier attempt of this call got no answer: that attempt has
   * done the work.
   */
  done?: string;
}

/**
 * Sends a request, and repeats it after failures that may be temporary: four attempts at most. The server
 * recognises or bears the repeat of every call.
 * @throws OverworldError
 */
export type Request = <Body>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  call?: Call,
) => Promise<Body>;

/** More requests than this wait for each other, because a server limits the connections of an address. */
const MAX_REQUESTS_IN_FLIGHT = 32;

const PASSING: readonly ErrorCode[] = [
  'network',
  'timeout',
  'bad_answer',
  'rate_limited',
  'server_error',
];

export function createRequest(base_url: string, api_key: string, timeout_ms: number): Request {
  const inTurn = createTurns(MAX_REQUESTS_IN_FLIGHT);

  const send = async <Body>(method: string, path: string, call: Call): Promise<Body> => {
    const controller = new platform.AbortController();
    const { signal } = controller;
    const timer = platform.setTimeout(() => controller.abort(), call.timeoutMs ?? timeout_ms);
    try {
      const { body, headers } = call;
      const answer = await platform.fetch(base_url + path + writeQuery(call.query ?? {}), {
        method,
        headers: {
          'x-game-api-key': api_key,
          'overworld-sdk': `server/${VERSION}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect must not carry the key to another server.
        redirect: 'manual',
        signal,
      });
      return readAnswer<Body>(answer, await answer.text());
    } catch (error) {
      if (error instanceof OverworldError) throw error;
      const code = signal.aborted ? 'timeout' : 'network';
      throw new OverworldError(`The server was not reached (${code})`, code, { cause: error });
    } finally {
      platform.clearTimeout(timer);
    }
  };

  return async <Body>(method: string, path: string, call: Call = {}): Promise<Body> => {
    let isDoubtful = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTurn(() => send<Body>(method, path, call));
      } catch (error) {
        const { code, body, status, retryAfterMs = 0 } = error as OverworldError;
        if (isDoubtful && call.done !== undefined && body?.error === call.done) return {} as Body;
        const mayPass = PASSING.includes(code) || status === 408;
        if (!mayPass || attempt === MAX_ATTEMPTS || retryAfterMs > MAX_RETRY_AFTER_MS) throw error;
        isDoubtful ||= code !== 'rate_limited';
        await wait(Math.max(retryAfterMs, backOff(attempt, 8_000)));
      }
    }
  };
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** Every answer of Overworld has this header, and no answer of a proxy or another server has it. */
const ANSWER_MARK = 'overworld-server';

/** @throws OverworldError for an error of the server, and for an answer that is not from Overworld. */
function readAnswer<Body>({ status, headers }: HttpAnswer, text: string): Body {
  const body = status === 204 ? {} : parseObject(text);
  const details = {
    status,
    requestId: headers.get('x-request-id'),
    body: body ?? {},
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  };
  if (!body || headers.get(ANSWER_MARK) === null) {
    throw new OverworldError(
      `The answer is not from Overworld (HTTP ${status})`,
      'bad_answer',
      details,
    );
  }
  if (status < 400) return body as Body;
  const code =
    (CODES[status] as ErrorCode | undefined) ?? (status < 500 ? 'http_error' : 'server_error');
  throw new OverworldError(String(body.error), body.quota ? 'quota_exceeded' : code, details);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** Makes a function that lets at most `places` calls run at the same time, in their order. */
function createTurns(places: number) {
  let free = places;
  const waiting: (() => void)[] = [];
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
