/**
 * What went wrong, for `switch`:
 * - `offline`, `network`, `timeout`: no answer came; what was asked may have been done or not.
 * - `bad_answer`: something other than the server answered, such as a captive portal.
 * - `bad_request` (400), `unauthorized` (401), `forbidden` (403), `not_found` (404), `conflict`
 *   (409), `too_large` (413), `rate_limited` and `quota_exceeded` (429), `server_error` (5xx),
 *   `http_error` (any other status): the server answered so.
 */
export type ErrorCode =
  | 'offline'
  | 'network'
  | 'timeout'
  | 'bad_answer'
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'server_error'
  | 'http_error';

/**
 * The one error of this SDK.
 *
 * @example
 * try {
 *   await overworld.leaderboards.submit('best-run', 4200);
 * } catch (error) {
 *   if (error instanceof OverworldError && error.code === 'offline') showOfflineHint();
 *   else throw error;
 * }
 */
export class OverworldError extends Error {
  override readonly name = 'OverworldError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Finds the request in the server's log; undefined when no answer came. */
  readonly requestId: string | undefined;
  /** The answer's JSON; of a `conflict`, for example, `server_data` and `server_version`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** How long the server asks to wait before the next try, at most a day; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    code: ErrorCode,
    details: {
      status?: number;
      requestId?: string;
      body?: Record<string, unknown>;
      retryAfterMs?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.requestId = details.requestId;
    this.body = details.body ?? {};
    this.retryAfterMs = details.retryAfterMs;
  }
}
