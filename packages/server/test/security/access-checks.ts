import assert from 'node:assert/strict';
import { isRole } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import type { TestServer } from '../harness.ts';
import type { RequestOptions } from '../test-request.ts';
import { sampleBody, samplePath } from '../sample-request.ts';
import type { Refusal } from './callers.ts';

/** Makes the functions that call operations about a game, and check whether the caller is admitted. */
export function accessChecksOn(server: TestServer, game_id: string) {
  /** Sends a request in which everything is valid, except perhaps the credentials. */
  const call = (
    operation: Operation,
    options: RequestOptions,
    params: Record<string, string> = {},
    query = '',
  ) =>
    server.request(operation.method, samplePath(operation, { game_id, ...params }, query), {
      body: operation.body && sampleBody(operation),
      ...options,
    });

  return {
    call,

    async assertRefused(
      operation: Operation,
      who: string,
      options: RequestOptions,
      { status, error, code }: Refusal,
    ): Promise<void> {
      // An unknown caller must not learn of other problems of the request.
      for (const body of operation.body ? [sampleBody(operation), '{'] : [undefined]) {
        const answer = await call(operation, { ...options, body });
        const shown = `${operation.id} for ${who}: ${answer.status} ${answer.text}`;
        assert.equal(answer.status, status, shown);
        assert.equal(Object.keys(answer.body)[0], 'error', shown);
        if (error) assert.deepEqual(answer.body, { error }, shown);
        if (code) assert.equal(answer.body.code, code, shown);
      }
    },

    /** Asserts that a caller is admitted. Use a new game for each assertion: the operation may delete things. */
    async assertAllowed(
      operation: Operation,
      who: string,
      options: RequestOptions,
      params?: Record<string, string>,
    ): Promise<void> {
      // Settings of production may need a higher role.
      const query = operation.query?.properties.environment ? 'environment=development' : '';
      const answer = await call(operation, options, params, query);
      const shown = `${operation.id} for ${who}: ${answer.status} ${answer.text}`;
      assert.ok(answer.status !== 401 && answer.status !== 403 && answer.status < 500, shown);
      if (isRole(operation.access)) assert.notEqual(answer.body?.error, 'Game not found', shown);
    },
  };
}

export type AccessChecks = ReturnType<typeof accessChecksOn>;
