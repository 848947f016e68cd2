/** Starts the PostgreSQL of a test run; the variables in `env` tell the harness where it is. */
export function startTestDatabase(): Promise<{
  env: Record<string, string>;
  [Symbol.asyncDispose](): Promise<void>;
}>;
