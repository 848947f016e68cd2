/**
 * The kind of an error, for `switch`:
 * - `offline`, `network`, `timeout`: no answer came; the server may or may not have handled the call.
 * - `bad_answer`: the answer is not from the server but from a proxy, a captive portal or another server.
 *   It counts as if no answer had come.
 * - `bad_request` (400), `unauthorized` (401), `forbidden` (403), `not_found` (404), `conflict`
 *   (409), `too_large` (413), `rate_limited` and `quota_exceeded` (429), `server_error` (5xx),
 *   `http_error` (any other status): the server answered with this status.
 * - `tracking_disabled`: `trackingEnabled` is false, so no request is made.
 * - `queue_full`: so many calls wait for the network that the oldest one is given up.
 * - `store_failed`: the store on this device is full or blocked. Of a call: it has not reached the server,
 *   and it is not kept; `cause` says why it has not reached the server. Of `onError`: so far nothing is lost,
 *   but calls and events that wait for the network will be lost at the end of the game.
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
  | 'http_error'
  | 'tracking_disabled'
  | 'queue_full'
  | 'store_failed';

/**
 * The error with which all calls of this SDK fail.
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
  declare readonly code: ErrorCode;
  /** HTTP status; 0 if no answer came. Of a `bad_answer`, the status of whoever answered. */
  readonly status: number = 0;
  /** Id of the request in the log of the server, if an answer came. */
  declare readonly requestId: string | null | undefined;
  /** The JSON of the answer. For example, the body of a `conflict` has `server_data` and `server_version`. */
  readonly body: Readonly<Record<string, unknown>> = {};
  /**
   * True if the call is in the store of the device, and will be sent once the server can be reached. If it is
   * false, the client has forgotten the call.
   */
  isKept = false;
  /** Time to wait before the next try, at most a day; undefined if the server does not say. */
  declare readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    code: ErrorCode,
    details?: Partial<Pick<OverworldError, 'status' | 'requestId' | 'body' | 'retryAfterMs'>>,
    cause?: unknown,
  ) {
    super(message, { cause });
    Object.assign(this, { code }, details);
  }
}

export const makeUnreached = (code: 'timeout' | 'offline' | 'network', cause?: unknown) =>
  new OverworldError(`The server was not reached (${code})`, code, {}, cause);

export const makeStoreFailure = (cause: unknown) =>
  new OverworldError(
    `The store is full or blocked: nothing is kept (${cause})`,
    'store_failed',
    {},
    cause,
  );

/** @throws OverworldError if the game has not enabled tracking. */
export const checkEnabled = (isEnabled: () => boolean): void => {
  if (!isEnabled()) throw new OverworldError('trackingEnabled is false', 'tracking_disabled');
};

/**
 * Returns the answer, or null if the server answers with the error text `refusal`. Compares the text,
 * because a 404 may also come from a proxy, with another text.
 */
export const nullIf = <Body>(refusal: string, answer: Promise<Body>) =>
  answer.catch((error: OverworldError) => {
    if (error.body?.error !== refusal) throw error;
    return null;
  });

const UNANSWERED: readonly ErrorCode[] = ['network', 'timeout', 'bad_answer'];
const WAITING: readonly ErrorCode[] = ['offline', 'unauthorized', 'tracking_disabled'];

/** Tells whether the call got no answer from the server. */
export const isUnanswered = ({ code }: OverworldError) => UNANSWERED.includes(code);

/** Tells whether the server refuses the call because it lacks a valid token of its player. */
export const lacksLogin = ({ code, message }: OverworldError) =>
  code === 'unauthorized' && /token|logged in/.test(message);

/** Tells whether the same request may succeed a little later. */
export const isPassing = (error: OverworldError) =>
  isUnanswered(error) ||
  error.code === 'rate_limited' ||
  error.status === 408 ||
  error.status >= 500;

/**
 * Tells whether the same request may succeed later: after a while, when the device has a network, when
 * tracking is enabled, or when the key or login is valid again.
 */
export const mayPassLater = (error: OverworldError) =>
  isPassing(error) || WAITING.includes(error.code);
