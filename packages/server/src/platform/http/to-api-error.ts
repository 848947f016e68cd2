import { classifyFailure } from '../database/failure.ts';
import { ApiError, unavailable } from '../errors.ts';

/** Turns an error into the answer for the caller. The cause is only logged. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  switch (classifyFailure(error)) {
    case 'unavailable':
      return unavailable('The database is unavailable, try again in a second', error);
    case 'refused_value':
      return new ApiError(
        400,
        'The request holds a value that cannot be stored',
        {},
        {
          cause: error,
        },
      );
    default:
  }
  return new ApiError(500, 'Something went wrong on our side', {}, { cause: error });
}
