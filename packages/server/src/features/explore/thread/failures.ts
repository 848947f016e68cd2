import { ApiError, unavailable } from '../../../platform/errors.ts';
import type { Failure } from './jobs.ts';

/** Turns an error into a message that can be sent to another thread. */
export function packFailure(error: unknown): Failure {
  if (error instanceof ApiError) {
    return { kind: 'answer', status: error.status, error: error.body.error };
  }
  const { message, stack, code, severity } = error as Error & { code?: string; severity?: string };
  if (code !== undefined) return { kind: 'database', message, code, severity };
  return { kind: 'other', message, stack };
}

export function unpackFailure(failure: Failure): Error {
  switch (failure.kind) {
    case 'answer': {
      const { status, error } = failure;
      return status === 503 ? unavailable(error) : new ApiError(status, error);
    }
    case 'database': {
      const { message, code, severity } = failure;
      return Object.assign(new Error(message), { code, ...(severity && { severity }) });
    }
    case 'other':
      return Object.assign(new Error(failure.message), { stack: failure.stack });
  }
}
