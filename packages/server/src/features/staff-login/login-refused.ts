import { ApiError } from '../../platform/errors.ts';

/** Makes the 401 error of a login that is not valid. */
export const loginRefused = (error: string, cause?: unknown): ApiError =>
  new ApiError(401, error, {}, { cause });
