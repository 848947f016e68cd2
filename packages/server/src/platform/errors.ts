/** An error that becomes the answer to a request. The caller gets its status and body, never its cause. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: { error: string; [field: string]: unknown };
  readonly headers: Record<string, string>;

  /**
   * @param status HTTP status, 4xx or 503.
   * @param error The problem in words; the first member of the body.
   * @param fields Further members of the body, such as `{ code: 'ACCOUNT_LOCKED' }`.
   */
  constructor(
    status: number,
    error: string,
    fields: Record<string, unknown> = {},
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(error, { cause: options.cause });
    this.name = 'ApiError';
    this.status = status;
    this.body = { error, ...fields };
    this.headers = options.headers ?? {};
  }
}

/**
 * The cause of an error 503 that means: the work did not end within its time limit. Some callers check for
 * this cause, and then try in another way.
 */
export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

/** The 400 error for invalid input; `error` names the field. */
export const badRequest = (error: string, fields?: Record<string, unknown>) =>
  new ApiError(400, error, fields);

/** The 404 error; `error` names the missing thing, such as `Game not found`. */
export const notFound = (error: string) => new ApiError(404, error);

/** The 409 error for a request that contradicts the stored state. */
export const conflict = (error: string, fields?: Record<string, unknown>) =>
  new ApiError(409, error, fields);

/**
 * The 429 error for every limit per minute. All these errors have the same form: `message` says how long to
 * wait.
 * @param headers Must contain `retry-after`, unless the answer already has this header.
 */
export const tooManyRequests = (message: string, headers: Record<string, string> = {}) =>
  new ApiError(429, 'Too Many Requests', { statusCode: 429, message }, { headers });

/**
 * The 429 error for a caller that has used up a limit in a window of time.
 * @param reset_s Whole seconds until the window ends.
 */
export const usedUp = (message: string, limit: number, reset_s: number) =>
  tooManyRequests(message, {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(reset_s),
    'retry-after': String(reset_s),
  });

/**
 * The 503 error with Retry-After, for overload and for a database that does not answer. The request may or
 * may not have been stored.
 * @param retry_after_s Whole seconds after which the caller should try again.
 */
export const unavailable = (error: string, cause?: unknown, retry_after_s = 1) =>
  new ApiError(503, error, {}, { headers: { 'retry-after': String(retry_after_s) }, cause });

/** The 503 error for a request that would wait longer than its client does. */
export const overloaded = () => unavailable('The server is overloaded, try again in a second');
