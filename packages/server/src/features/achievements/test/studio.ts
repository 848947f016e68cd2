import assert from 'node:assert/strict';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';

interface Change {
  action: string;
  target: string;
  details: Record<string, unknown>;
}

/** The calls with which an account manages the achievements of a game. */
interface Calls {
  create(body: unknown): Promise<TestAnswer>;
  patch(key: string, body: unknown): Promise<TestAnswer>;
  remove(key: string): Promise<TestAnswer>;
  list(query?: string): Promise<TestAnswer>;
}

/** A game whose developer defines achievements. */
interface Studio extends TestGame, Calls {
  /** The path of the achievements in the API. */
  path: string;
  /** Lists the achievements, and returns their keys in this order as one text. */
  listKeys(): Promise<string>;
  /** Unlocks an achievement as the game does. */
  unlock(key: string, player_id: string, achievement_key: string): Promise<TestAnswer>;
  /** Lists the entries of the audit log. */
  listChanges(): Promise<Change[]>;
  /** Returns the same calls with the token of another account. */
  as(token: string): Calls;
}

/** Makes a game with achievements of these keys. */
export async function makeAchievementStudio(
  server: TestServer,
  keys: string[] = [],
): Promise<Studio> {
  const game = await server.makeGame();
  const { game_id } = game;
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const path = `/v1/games/${game_id}/achievements`;
  const as = (caller: string): Calls => {
    const call = (method: string, more = '', body?: unknown) =>
      server.request(method, path + more, { token: caller, body });
    return {
      create: (body) => call('POST', '', body),
      patch: (key, body) => call('PATCH', `/${encodeURIComponent(key)}`, body),
      remove: (key) => call('DELETE', `/${encodeURIComponent(key)}`),
      list: (query = '') => call('GET', query),
    };
  };
  const calls = as(token);
  for (const key of keys) assert.equal((await calls.create({ key, name: key })).status, 201);
  return {
    ...game,
    ...calls,
    path,
    async listKeys() {
      const { body } = await calls.list();
      return body.achievements.map(({ key }: { key: string }) => key).join('');
    },
    unlock: (key, player_id, achievement_key) =>
      server.request('POST', '/v1/achievements/unlock', {
        key,
        body: { achievement_key, player_id },
      }),
    listChanges: () =>
      server.database.query<Change>(
        sql`SELECT action, target, details FROM audit_log WHERE game_id = ${game_id} ORDER BY id`,
      ),
    as,
  };
}
