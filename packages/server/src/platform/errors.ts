/** An answer other than success. The caller gets its status and body, never its cause. */
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

/** The cause of a 503 for work that has used up its time, for callers who know another way out. */
export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

/** 400: `error` names the field. */
export const badRequest = (error: string, fields?: Record<string, unknown>) =>
  new ApiError(400, error, fields);

/** 404: `error` names the missing thing, such as `Game not found`. */
export const notFound = (error: string) => new ApiError(404, error);

/** 409: the request contradicts the stored state. */
export const conflict = (error: string, fields?: Record<string, unknown>) =>
  new ApiError(409, error, fields);

/**
 * 429 of every limit by the minute, in the form of the rate limit: `message` says how long to wait.
 * @param headers At least `retry-after`, unless they are on the answer already.
 */
export const tooManyRequests = (message: string, headers: Record<string, string> = {}) =>
  new ApiError(429, 'Too Many Requests', { statusCode: 429, message }, { headers });

/**
 * 503 with Retry-After, for overload and for a database that is away. Whether the request was stored is
 * unknown.
 * @param retry_after_s Whole seconds after which the caller should try again.
 */
export const unavailable = (error: string, cause?: unknown, retry_after_s = 1) =>
  new ApiError(503, error, {}, { headers: { 'retry-after': String(retry_after_s) }, cause });
