import { isOffline, platform, wait } from './platform.ts';
import { createTimer } from './timer.ts';
import type { ErrorCode } from './error.ts';
import {
  checkEnabled,
  isPassing,
  isUnanswered,
  lacksLogin,
  makeUnreached,
  OverworldError,
} from './error.ts';
import { VERSION } from './version.ts';
import { isOurs } from './is-ours.ts';
import type { OverworldOptions } from '../options.ts';
import type { Tell } from '../events/callbacks.ts';
import type { ServerClock } from './server-clock.ts';
import { parseKept } from '../stores/kept-store.ts';

interface CallDetails {
  /** By default `POST` if the call has a body, and `GET` if it has none. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters that are undefined are left out. */
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON. */
  body?: object;
  headers?: Record<string, string> | undefined;
  /** Lets the request outlive the page. The body of such a request may have at most 64 kB. */
  keepalive?: boolean;
  /** True if all data of a player may take the server, or a slow network, longer than other calls. */
  isLong?: boolean;
  /**
   * True if the server must not do the call twice. Such a call is repeated only if the answer says that the
   * server has done nothing. Other calls are repeated whenever that may help.
   */
  isOnce?: boolean;
}

export interface Call extends CallDetails {
  /** The path after `/v1/`. */
  path: string;
  /** A member of the answer if the call succeeds; empty if such an answer has no body. */
  gives: string;
  /** The player whom the call is about. The player token proves that this player makes the call. */
  player_id?: string;
}

export interface Answer<Body> {
  status: number;
  /** An empty object if the answer has no body. */
  body: Body;
  /** The `ETag` header. */
  etag: string | null;
}

export interface Transport {
  /**
   * Sends a request once.
   * @throws OverworldError if the server does not answer, or if its answer has a status of 400 or more.
   */
  send<Body>(call: Call): Promise<Answer<Body>>;
  /** Sends a request, and repeats it after failures that may be temporary: four attempts at most. */
  retry<Body>(call: Call): Promise<Answer<Body>>;
  /** Does the same as `retry`. @returns the body of the answer. */
  ask<Body>(
    path: string,
    gives: '' | (string & keyof Body),
    details?: CallDetails,
    player_id?: string,
  ): Promise<Body>;
}

export const MAX_ATTEMPTS = 4;
/** If the server asks for a longer wait, the caller gets an error instead of waiting. */
export const MAX_RETRY_AFTER_MS = 15_000;
/** The time limit of calls with `isLong`, unless the game gives all calls more time. */
const LONG_MS = 120_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const CODES: { [status: number]: ErrorCode } = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limited',
};

/** The sessions of players, from which a request takes its token. */
export interface TokenSource {
  /**
   * Gets the player token for a call about any player; empty if there is no session of the player.
   * @param refused The token that the server has refused. If it is still the player's token, it is renewed.
   */
  tokenOf(player_id: string, refused?: string): Promise<string>;
}

export const createTransport = (
  { baseUrl, apiKey, timeoutMs = 10_000 }: OverworldOptions,
  clock: ServerClock,
  { say }: Tell,
  /** No request is made while this returns false. */
  isEnabled: () => boolean,
  /** Gives the tokens of players. It is called only when a request needs a token. */
  logins: () => TokenSource,
): Transport => {
  const base_url = baseUrl.replace(/\/+$/, '');

  const sendOnce = async <Body>(
    {
      path,
      gives,
      query = {},
      body,
      method = body ? 'POST' : 'GET',
      headers,
      keepalive,
      isLong,
    }: Call,
    token?: string,
  ): Promise<Answer<Body>> => {
    checkEnabled(isEnabled);
    const controller = new platform.AbortController();
    const { signal } = controller;
    const timer = createTimer(() => controller.abort());
    timer.start(Math.max(timeoutMs, isLong ? LONG_MS : 0));
    const sent_at = Date.now();
    try {
      // The `cache` mode is not set: with it, Chromium sends a preflight before every request. A preflight
      // that hangs keeps its connection even when the request is aborted, and after six of these no request
      // gets through.
      const answer = await platform.fetch(`${base_url}/v1/${path}${writeQuery(query)}`, {
        method,
        headers: {
          'x-game-api-key': apiKey,
          'overworld-sdk': `typescript/${VERSION}`,
          ...(token && { 'x-player-token': token }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body && JSON.stringify(body),
        keepalive,
        signal,
        // A browser would turn a redirected POST into a GET, and would send the key to another server.
        redirect: 'manual',
      });
      const { status } = answer;
      const header = (name: string) => answer.headers.get(name);
      const json = parseKept<Record<string, unknown>>(await answer.text());
      const isMarked = !!header('overworld-server');
      if (!isOurs(status, json, isMarked, gives, !!headers?.['if-none-match'])) {
        const place = header('location')?.split('?')[0];
        const words = [status || 'redirect', header('content-type'), place].join(' ').trim();
        throw new OverworldError(`The answer is not from Overworld (${words})`, 'bad_answer', {
          status,
        });
      }
      clock.learn(header('date'), sent_at, Date.now());
      const details = {
        status,
        requestId: header('x-request-id'),
        body: json ?? {},
        retryAfterMs: readRetryAfter(header('retry-after')),
      };
      if (status >= 400) {
        const { error, quota } = details.body;
        const message = String(error ?? `HTTP ${status}`);
        const code = CODES[status] ?? (status < 500 ? 'http_error' : 'server_error');
        throw new OverworldError(message, quota ? 'quota_exceeded' : code, details);
      }
      return { ...details, etag: header('etag') } as Answer<Body>;
    } catch (error) {
      const code = signal.aborted ? 'timeout' : isOffline() ? 'offline' : 'network';
      const failure = error instanceof OverworldError ? error : makeUnreached(code, error);
      const { message } = failure;
      // The server has no such route if the base URL has a path.
      if (isUnanswered(failure) || /API key|Route/.test(message)) {
        say(`${base_url} with key ${apiKey.slice(0, 12)}…: ${message}`);
      }
      throw failure;
    } finally {
      timer.stop();
    }
  };

  const transport: Transport = {
    send: async <Body>(call: Call) => {
      const { player_id } = call;
      const token = player_id && (await logins().tokenOf(player_id));
      return sendOnce<Body>(call, token).catch(async (error: OverworldError) => {
        // If the error is about the API key, a new player token would not help.
        const next = player_id && lacksLogin(error) && (await logins().tokenOf(player_id, token));
        if (!next || next === token) throw error;
        return sendOnce<Body>(call, next);
      });
    },

    retry: async <Body>(call: Call) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transport.send<Body>(call);
        } catch (error) {
          const failure = error as OverworldError;
          const { retryAfterMs = 0, code } = failure;
          const mayPass = call.isOnce ? code === 'rate_limited' : isPassing(failure);
          if (!mayPass || attempt === MAX_ATTEMPTS || retryAfterMs > MAX_RETRY_AFTER_MS) {
            throw failure;
          }
          await wait(backOff(attempt, 8_000, failure));
        }
      }
    },

    ask: async <Body>(path: string, gives: string, details?: CallDetails, player_id?: string) => {
      const { body } = await transport.retry<Body>({ path, gives, player_id, ...details });
      return body;
    },
  };
  return transport;
};

/**
 * Returns half a second, doubled with each attempt, minus a random part of up to half of it; or a longer
 * wait for which the server asked.
 */
export const backOff = (
  attempt: number,
  longest_ms: number,
  { retryAfterMs = 0 }: { retryAfterMs?: number | undefined } = {},
): number => {
  const most_ms = Math.min(250 * 2 ** attempt, longest_ms);
  return Math.max(retryAfterMs, (most_ms * (1 + Math.random())) / 2);
};

export const writeQuery = (query: Record<string, string | number | undefined>) =>
  Object.entries(query)
    .map(([name, value]) => (value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`))
    .join('')
    .replace('&', '?');

/** Reads a header that holds seconds or a date. Returns a day at most: timers overflow after 24 days. */
export const readRetryAfter = (value: string | null): number | undefined => {
  const ms = Number(value) * 1_000 || Date.parse(value ?? '') - Date.now();
  return ms >= 0 ? Math.min(ms, DAY_MS) : undefined;
};
