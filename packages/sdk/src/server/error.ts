/**
 * The kind of an error, for `switch`:
 * - `network`, `timeout`: no answer came; the server may or may not have handled the call.
 * - `bad_answer`: the answer is not from the server but, for example, from a proxy.
 * - `invalid_player_token` (401): `verifyPlayer` got a token that is wrong, expired, or of another game or
 *   environment, or whose player was erased.
 * - `unauthorized` (401): the key of this server is wrong or revoked.
 * - `bad_request` (400), `forbidden` (403), `not_found` (404), `conflict` (409), `too_large` (413),
 *   `rate_limited` and `quota_exceeded` (429), `server_error` (5xx), `http_error` (any other status).
 */
export type ErrorCode =
  | 'network'
  | 'timeout'
  | 'bad_answer'
  | 'invalid_player_token'
  | 'unauthorized'
  | 'bad_request'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'server_error'
  | 'http_error';

/**
 * The error with which all calls of this client fail.
 *
 * @example
 * try {
 *   await overworld.verifyPlayer(token);
 * } catch (error) {
 *   if (error instanceof OverworldError && error.code === 'invalid_player_token') return refuse();
 *   throw error;
 * }
 */
export class OverworldError extends Error {
  override readonly name = 'OverworldError';
  readonly code: ErrorCode;
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  /** Id of the request in the log of the server; null if no answer came. */
  readonly requestId: string | null;
  /** The JSON of the answer. For example, the body of a `conflict` has `server_data` and `server_version`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Time to wait before the next try, at most a day; undefined if the server does not say. */
  readonly retryAfterMs: number | undefined;

  /** @internal */
  constructor(
    message: string,
    code: ErrorCode,
    {
      status = 0,
      requestId = null,
      body = {},
      retryAfterMs,
      cause,
    }: Partial<Pick<OverworldError, 'status' | 'requestId' | 'body' | 'retryAfterMs'>> & {
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
  }
}
