import { isPassing, OverworldError } from './error.ts';
import type { ErrorCode } from './error.ts';
import { isOffline, platform, wait } from './platform.ts';
import type { Logins } from '../players/logins.ts';
import type { Say } from '../say.ts';
import type { ServerClock } from './server-clock.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Members that are undefined are left out. */
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON; a string is JSON already. */
  body?: object | string;
  headers?: Record<string, string>;
  /** The player whom the call is about; the player token proves it. */
  player_id?: string;
  /** Lets the request outlive the page; its body may then have 64 kB. */
  keepalive?: boolean;
}

export interface Answer<Body> {
  status: number;
  body: Body;
  /** The `ETag` header. */
  etag: string | null;
}

/**
 * When to send a request again:
 * - `safe`: whenever that may help, because doing it twice has the effect of doing it once.
 * - `refused`: only if the answer says that nothing was done.
 */
export type Retry = 'safe' | 'refused';

export interface Transport {
  /**
   * Sends a request once.
   * @throws OverworldError if no answer comes, or an answer with status 400 or more.
   */
  send<Body>(call: Call): Promise<Answer<Body>>;
  /** Sends a request up to four times, while its failures may pass. */
  request<Body>(call: Call, retry: Retry): Promise<Answer<Body>>;
}

export const MAX_ATTEMPTS = 4;
/** A longer wait is reported as an error instead of keeping the caller waiting. */
const MAX_RETRY_AFTER_MS = 15_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

const CODES: { [status: number]: ErrorCode } = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
};

export function createTransport(settings: {
  base_url: string;
  api_key: string;
  timeout_ms: number;
  clock: ServerClock;
  say: Say;
  /** While it is false, no request is made. */
  isEnabled: () => boolean;
  /** The tokens of players; read when a call needs one. */
  logins: () => Pick<Logins, 'tokenOf' | 'renew'>;
}): Transport {
  const base_url = settings.base_url.replace(/\/+$/, '');

  const sendOnce = async <Body>(
    { method, path, query = {}, body, headers, keepalive }: Call,
    token: string | undefined,
  ): Promise<Answer<Body>> => {
    if (!settings.isEnabled()) {
      throw new OverworldError('trackingEnabled is false', 'tracking_disabled');
    }
    const url = base_url + path + writeQuery(query);
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const controller = new platform.AbortController();
    let isLate = false;
    const timer = platform.setTimeout(() => {
      isLate = true;
      controller.abort();
    }, settings.timeout_ms);
    const sent_at = Date.now();
    try {
      // No `cache` mode: with one, Chromium sends a preflight before every request, and a preflight
      // that hangs keeps its connection when its request is aborted. After six, nothing gets through.
      const answer = await platform.fetch(url, {
        method,
        headers: {
          'x-game-api-key': settings.api_key,
          ...(token && { 'x-player-token': token }),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: text,
        keepalive,
        credentials: 'omit',
        signal: controller.signal,
      });
      const answer_text = await answer.text();
      const { status } = answer;
      const header = (name: string) => answer.headers.get(name);
      const json = parseObject(answer_text);
      if (json || status === 204 || status === 304) {
        settings.clock.learn(header('date'), sent_at, Date.now());
      }
      const details = {
        status,
        requestId: header('x-request-id') ?? undefined,
        body: json ?? {},
        retryAfterMs: readRetryAfter(header('retry-after')),
      };
      if (status >= 400) {
        const code =
          CODES[status] ??
          (status === 429
            ? details.body.quota
              ? 'quota_exceeded'
              : 'rate_limited'
            : status >= 500
              ? 'server_error'
              : 'http_error');
        const message = String(details.body.error ?? `HTTP ${status}`);
        if (status === 401 && message.includes('API key')) {
          settings.say(
            `${base_url} refuses the API key ${settings.api_key.slice(0, 12)}…: ${message}`,
          );
        }
        throw new OverworldError(message, code, details);
      }
      if (!json && status !== 204 && status !== 304) {
        throw new OverworldError('The answer is not from Overworld', 'bad_answer', details);
      }
      return { status, body: json as Body, etag: header('etag') };
    } catch (error) {
      const failure =
        error instanceof OverworldError
          ? error
          : isLate
            ? new OverworldError(`No answer within ${settings.timeout_ms} ms`, 'timeout')
            : isOffline()
              ? new OverworldError('The device is offline', 'offline', { cause: error })
              : new OverworldError('The server was not reached', 'network', { cause: error });
      if (['bad_answer', 'network', 'timeout'].includes(failure.code)) {
        settings.say(`No Overworld server answers at ${base_url}: ${failure.message}`);
      }
      throw failure;
    } finally {
      platform.clearTimeout(timer);
    }
  };

  const transport: Transport = {
    async send<Body>(call: Call) {
      const { player_id } = call;
      if (player_id === undefined) return sendOnce<Body>(call, undefined);
      const token = settings.logins().tokenOf(player_id);
      const sent = token instanceof Promise ? await token : token;
      try {
        return await sendOnce<Body>(call, sent);
      } catch (error) {
        const { code, message } = error as OverworldError;
        // Errors of the key are no errors of the token.
        const isOurs = code === 'unauthorized' && /token|logged in/.test(message);
        const next = isOurs ? await settings.logins().renew(player_id, sent) : undefined;
        if (!next) throw error;
        return sendOnce<Body>(call, next);
      }
    },

    async request<Body>(call: Call, retry: Retry) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transport.send<Body>(call);
        } catch (error) {
          const failure = error as OverworldError;
          const { retryAfterMs = 0, code } = failure;
          const mayPass = retry === 'safe' ? isPassing(failure) : code === 'rate_limited';
          if (!mayPass || attempt === MAX_ATTEMPTS || retryAfterMs > MAX_RETRY_AFTER_MS) {
            throw failure;
          }
          await wait(Math.max(retryAfterMs, backOff(attempt, 8_000)));
        }
      }
    },
  };
  return transport;
}

/** Half a second, doubled with each attempt, minus up to half of it at random. */
export function backOff(attempt: number, longest_ms: number): number {
  return Math.min(500 * 2 ** (attempt - 1), longest_ms) * (0.5 + Math.random() / 2);
}

function writeQuery(query: Record<string, string | number | undefined>): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The header holds seconds or a date. Timers overflow after 24 days. */
function readRetryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  const ms = Number.isNaN(Number(value)) ? Date.parse(value) - Date.now() : Number(value) * 1_000;
  return ms >= 0 ? Math.min(ms, DAY_MS) : undefined;
}
