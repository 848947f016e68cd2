/** Starts the PostgreSQL of a test run; `env` leads the harness to it. */
export function startTestDatabase(): Promise<{
  env: Record<string, string>;
  [Symbol.asyncDispose](): Promise<void>;
}>;
