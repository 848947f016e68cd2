/** Starts the PostgreSQL of a test run; `env` tells the harness of it. */
export function startTestDatabase(): Promise<{
  env: Record<string, string>;
  [Symbol.asyncDispose](): Promise<void>;
}>;
