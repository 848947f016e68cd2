import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { Database } from '../../../platform/database/database.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { decideScores } from './decisions.ts';

let server: TestServer;
let client: BoardClient;
let token: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeBoardClient(server);
  ({ token } = await server.makeAccount({ game_id: client.game.game_id }));
  const rules = { max_gain: 10, first_gain_from: 0, on_violation: 'quarantine' };
  const { status } = await client.manage('PUT', '/b', { ...rules, keeps_ledger: true });
  assert.equal(status, 200);
});

const dashboard = async (method: string, path: string, body?: unknown) => {
  const url = `/v1/games/${client.game.game_id}${path}`;
  const answer = await server.request(method, url, { token, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const submit = (player_id: string, score: number, more: object = {}) =>
  client.submit({ board_name: 'b', player_id, score, ...more });
const decide = (decision: string, player_ids?: string[]) =>
  dashboard('POST', '/leaderboards/b/quarantine/decisions', { decision, player_ids });
const undo = ({ decision_id }: { decision_id: string }) =>
  dashboard('POST', `/leaderboard-decisions/${decision_id}/undo`);
const listScores = async () => {
  const { decisions } = await dashboard('GET', '/leaderboards/b/decisions');
  return decisions.map((each: { scores: object }) => each.scores);
};
const of = (player_id: string, score: number, player_name: string | null = null) => ({
  player_id,
  player_name,
  score,
});

test('a decision lists its first three scores, even after an undo, and the audit log lists them too', async () => {
  await submit('a', 1e22, { player_name: 'Ada' });
  for (const player of ['b', 'c', 'd']) await submit(player, 50);
  const one = await decide('accept', ['a']);
  assert.deepEqual(one.scores, [of('a', 1e22, 'Ada')]);
  const rest = await decide('remove');
  assert.deepEqual(rest.scores, [of('b', 50), of('c', 50), of('d', 50)]);
  await undo(one);
  assert.deepEqual(await listScores(), [rest.scores, one.scores]);
  const { audit_log } = await dashboard('GET', '/audit-log');
  const noted = audit_log.map(({ details }: { details: { scores?: object } }) => details?.scores);
  const ada = [{ player_id: 'a', score: 1e22 }];
  assert.deepEqual(noted.slice(0, 3), [
    ada,
    ['b', 'c', 'd'].map((player_id) => ({ player_id, score: 50 })),
    ada,
  ]);
});

test('a decision about scores that do not wait stores nothing', async () => {
  await submit('a', 5);
  for (const player_ids of [['a', 'nobody'], undefined]) {
    for (const decision of ['accept', 'remove']) {
      const outcome = await decide(decision, player_ids);
      assert.deepEqual(outcome, { decision_id: null, decided: 0, scores: [], waiting: 0 });
    }
  }
  assert.deepEqual(await listScores(), []);
  const { audit_log } = await dashboard('GET', '/audit-log');
  assert.deepEqual(
    audit_log.map(({ action }: { action: string }) => action),
    ['put_leaderboard'],
  );
});

test('a decision that removes an entry or bans a player names the scores that it hides', async () => {
  await submit('a', 5, { player_name: 'Ada' });
  await submit('b', 6);
  await submit('b', 60);
  await dashboard('DELETE', '/leaderboards/b/entries/a');
  const banned = await dashboard('POST', '/players/b/leaderboard-bans', { board_name: 'b' });
  assert.deepEqual(banned.scores, [of('b', 6), of('b', 60)]);
  assert.deepEqual(await listScores(), [banned.scores, [of('a', 5, 'Ada')]]);
});

test('decisions and the audit log no longer name a player who was erased', async () => {
  for (const player of ['a', 'b']) await submit(player, 50);
  await decide('accept');
  await dashboard('DELETE', '/players/a');
  assert.deepEqual(await listScores(), [[of('b', 50)]]);
  const { audit_log } = await dashboard('GET', '/audit-log?action=accept_scores');
  assert.deepEqual(audit_log[0].details.scores, [{ player_id: 'b', score: 50 }]);
});

test('a decision does not name a player who is erased while the decision is made', async () => {
  for (const player of ['a', 'b']) await submit(player, 50);
  const { game_id } = client.game;
  const { database } = server;
  let parts = 0;
  const erasing: Database = {
    ...database,
    async transaction(work) {
      if (++parts === 2) await dashboard('DELETE', '/players/a');
      return database.transaction(work);
    },
  };
  const season = { game_id, environment: 'production', board_name: 'b', season: 1 } as const;
  // A decision is made in parts of a hundred players each, so `b` is in the second part.
  const absent = Array.from({ length: 99 }, (_, index) => `absent ${index}`);
  const actor = { account: null, ip: null };
  await decideScores(erasing, season, 'accept', ['a', ...absent, 'b'], actor);
  assert.deepEqual(await listScores(), [[of('b', 50)]]);
});

test('a score that is accepted again after an undo has the same player name and metadata as before', async () => {
  await submit('a', 5, { player_name: 'Ada', metadata: { level: 1 } });
  await submit('a', 50);
  await undo(await decide('accept'));
  await submit('a', 8, { player_name: 'Eve', metadata: { level: 2 } });
  await decide('accept');
  const [shown] = (await client.page('b')).body.entries;
  // A search reads the entry from the database.
  const [stored] = (await dashboard('GET', '/leaderboards/b/entries?search=a')).entries;
  assert.deepEqual(shown, stored);
  assert.deepEqual([stored.player_name, stored.metadata], ['Ada', { level: 1 }]);
});

test('a board shows its number of waiting scores, and the used and the allowed rows of the ledgers of its game', async () => {
  await submit('a', 5);
  for (const player of ['a', 'b']) await submit(player, 50);
  const read = () => dashboard('GET', '/leaderboards/b');
  const { waiting_scores, ledger_rows } = await read();
  assert.deepEqual([waiting_scores, ledger_rows], [2, { used: 3, limit: 1_000_000 }]);
  await decide('remove', ['a']);
  assert.equal((await read()).waiting_scores, 1);
});

test('developers, but not viewers, can list the waiting scores of a player from all boards', async () => {
  await client.manage('PUT', '/c', { max_gain: 1, first_gain_from: 0, on_violation: 'quarantine' });
  await submit('a', 40);
  await submit('other', 40);
  await client.submit({ board_name: 'c', player_id: 'a', score: 7, metadata: { n: 1 } });
  const path = '/players/a/waiting-scores';
  const { scores } = await dashboard('GET', path);
  assert.deepEqual(
    scores.map((each: Record<string, unknown>) => [
      each.board_name,
      each.season,
      each.score,
      each.rule,
      each.metadata,
    ]),
    [
      ['c', 1, 7, 'max_gain', { n: 1 }],
      ['b', 1, 40, 'max_gain', null],
    ],
  );
  await decide('remove', ['a']);
  assert.equal((await dashboard('GET', path)).scores.length, 1);
  assert.deepEqual((await dashboard('GET', '/players/nobody/waiting-scores')).scores, []);
  const { game_id } = client.game;
  const viewer = await server.makeAccount({ game_id, role: 'viewer' });
  const refused = await server.request('GET', `/v1/games/${game_id}${path}`, {
    token: viewer.token,
  });
  assert.equal(refused.status, 403);
});
