import assert from 'node:assert/strict';
import type { Operation } from '@overworld/contract/operation';
import { startTestServer } from '../harness.ts';
import type { TestGame, TestServer } from '../harness.ts';
import type { RequestOptions, TestAnswer } from '../test-request.ts';
import { isLongForm } from '../long-forms.ts';
import { sampleBody, samplePath } from '../sample-request.ts';

export interface Property {
  type?: string | string[];
  minLength?: number;
  maxLength?: number;
  maximum?: number;
  enum?: unknown[];
  anyOf?: Property[];
}

export const WIDE = '🦊';
export const INJECTIONS = [
  `'; DROP TABLE players; --`,
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
];

const VALUES_AT_A_PLACE = 3;
/** The number of values that were taken from each list. After its last value, a list starts again. */
const taken = new Map<string, number>();

/**
 * Takes a few of the values for one place of a request. Over all places, each value is taken many times.
 * The long form sends all values in every place.
 */
export function takeSome<T>(values: readonly T[]): readonly T[] {
  if (isLongForm()) return values;
  const list = JSON.stringify(values);
  const from = taken.get(list) ?? 0;
  taken.set(list, from + VALUES_AT_A_PLACE);
  return Array.from(
    { length: VALUES_AT_A_PLACE },
    (_, index) => values[(from + index) % values.length]!,
  );
}

export const isText = (property: Property) =>
  property.type === 'string' && property.enum === undefined;

/** A server, and a caller who may call every operation of one of its games. */
export interface Target {
  server: TestServer;
  game: TestGame;
  makePath(operation: Operation, params?: Record<string, string>): string;
  send(operation: Operation, path: string, options: RequestOptions): Promise<TestAnswer>;
  /** Sends a request and fails on a 500. */
  survive(operation: Operation, path: string, options: RequestOptions): Promise<TestAnswer>;
}

export async function makeTarget(env: Record<string, string> = {}): Promise<Target> {
  const server = await startTestServer({ env });
  const game = await server.makeGame({ tier: 'studio' });
  const server_key = await server.makeKey(game.game_id, 'production', 'server');
  const { token } = await server.makeAccount({
    game_id: game.game_id,
    role: 'owner',
    is_administrator: true,
  });
  const credentials = ({ access }: Operation): RequestOptions => {
    if (access === 'anyone') return {};
    if (access === 'server_key') return { key: server_key };
    return access === 'key' || access === 'key_or_account'
      ? { key: game.production_key }
      : { token };
  };
  const send: Target['send'] = (operation, path, options) =>
    server.request(operation.method, path, { ...credentials(operation), ...options });
  return {
    server,
    game,
    makePath: (operation, params = {}) =>
      samplePath(operation, { game_id: game.game_id, ...params }),
    send,
    async survive(operation, path, options) {
      const answer = await send(operation, path, options);
      assert.ok(answer.status < 500, `${operation.id} ${path} → ${answer.status} ${answer.text}`);
      return answer;
    },
  };
}

/** The contract's example, changed so that it can be sent again and again. */
export const validBody = (operation: Operation): Record<string, unknown> => {
  const body = sampleBody(operation);
  // A change of the password would end the session of the other requests.
  return operation.id === 'changePassword' ? { ...body, current_password: 'a wrong one' } : body;
};
