import assert from 'node:assert/strict';
import type { LimitOverrides } from '@overworld/contract/limits';
import { sql } from '../../src/platform/database/sql.ts';
import type { TestGame, TestServer } from '../harness.ts';
import type { TestAnswer } from '../test-request.ts';

/** A game with the token of its owner. */
export type OwnedGame = TestGame & { token: string };

/** Makes a game with its own limits. */
export async function makeLimitedGame(
  server: TestServer,
  limits: LimitOverrides,
): Promise<OwnedGame> {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id });
  await setLimits(server, game.game_id, limits);
  return { ...game, token };
}

export const setLimits = (server: TestServer, game_id: string, limits: LimitOverrides) =>
  server.database.execute(sql`
    UPDATE games SET limit_overrides = ${JSON.stringify(limits)}::jsonb WHERE id = ${game_id}`);

/** Submits a score. */
export const submit = (
  server: TestServer,
  { production_key: key }: TestGame,
  player_id: string,
  board_name = 'b',
  score = 1,
) => server.request('POST', '/v1/leaderboards', { key, body: { player_id, board_name, score } });

export const inParallel = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Counts the answers with each status. No answer may be a 5xx. */
export const statuses = (answers: TestAnswer[]) => {
  const counts: Record<number, number> = {};
  for (const { status, text } of answers) {
    assert.ok(status < 500, text);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};

/** Asserts that the answer is the 403 for a limit that is reached. */
export function assertReached(
  answer: TestAnswer,
  resource: string,
  limit: number,
  used = limit,
): void {
  assert.equal(answer.status, 403, answer.text);
  const { error, ...rest } = answer.body;
  assert.match(error, /limit of/);
  assert.deepEqual(rest, { code: 'LIMIT_REACHED', resource, limit, used });
}
