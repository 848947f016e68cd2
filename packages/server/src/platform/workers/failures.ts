import { ApiError } from '../errors.ts';

/** An error in a form that can be sent to another thread. */
export type Failure =
  | {
      kind: 'answer';
      status: number;
      body: { error: string; [field: string]: unknown };
      headers: Record<string, string>;
    }
  | { kind: 'database'; message: string; code: string | undefined; severity: string | undefined }
  | { kind: 'other'; message: string; stack: string | undefined };

/** Turns an error into a message that can be sent to another thread. */
export function packFailure(error: unknown): Failure {
  if (error instanceof ApiError) {
    const { status, body, headers } = error;
    return { kind: 'answer', status, body, headers };
  }
  const { message, stack, code, severity } = error as Error & { code?: string; severity?: string };
  if (code !== undefined) return { kind: 'database', message, code, severity };
  return { kind: 'other', message, stack };
}

/**
 * Turns a message of `packFailure` back into an error, with the class and fields from which the server makes
 * the answer.
 */
export function unpackFailure(failure: Failure): Error {
  switch (failure.kind) {
    case 'answer': {
      const { error, ...fields } = failure.body;
      return new ApiError(failure.status, error, fields, { headers: failure.headers });
    }
    case 'database': {
      const { message, code, severity } = failure;
      return Object.assign(new Error(message), { code, ...(severity && { severity }) });
    }
    case 'other':
      return Object.assign(new Error(failure.message), { stack: failure.stack });
  }
}
