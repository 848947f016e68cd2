import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { DOCUMENTS, SETTINGS } from './test/documents.ts';
import { makeFilesStudio } from './test/studio.ts';

suite('access to definitions as documents', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makeStudio = () => makeFilesStudio(server);

  test('a member who is removed, or whose token is revoked, after the plan applies nothing', async () => {
    const studio = await makeStudio();
    const { game_id, account_id } = studio;
    const { body } = await studio.plan(DOCUMENTS);
    const made = await server.makeAccessToken(account_id, [game_id], 'developer');
    const planned = await studio.send('plan', { definitions: DOCUMENTS }, made.token);
    assert.deepEqual(planned.body, body);
    await server.database.execute(sql`DELETE FROM access_tokens WHERE id = ${made.token_id}`);
    const applying = { definitions: DOCUMENTS, plan: body.plan };
    assert.equal((await studio.send('apply', applying, made.token)).status, 401);
    await server.database.execute(sql`DELETE FROM game_members WHERE game_id = ${game_id}`);
    assert.equal((await studio.send('apply', applying)).status, 404);
    const { token } = await server.makeAccount({ game_id });
    const read = await server.request('GET', `/v1/games/${game_id}/definitions`, { token });
    assert.equal(read.body.definitions.length, SETTINGS);
  });

  test('an access token with the role of a viewer reads and plans, but another one must apply', async () => {
    const { game_id, account_id, send, plan, apply } = await makeStudio();
    const { token } = await server.makeAccessToken(account_id, [game_id], 'viewer');
    const read = await server.request('GET', `/v1/games/${game_id}/definitions`, { token });
    assert.equal(read.status, 200);
    const planned = await send('plan', { definitions: DOCUMENTS }, token);
    assert.equal(planned.body.plan, (await plan(DOCUMENTS)).body.plan);
    const body = { definitions: DOCUMENTS, plan: planned.body.plan };
    assert.equal((await send('apply', body, token)).status, 403);
    assert.equal((await apply(DOCUMENTS, body)).status, 200);
    const reports = await server.makeAccessToken(account_id, [game_id], 'reports');
    assert.equal((await send('plan', { definitions: DOCUMENTS }, reports.token)).status, 403);
  });

  test('the plan of a viewer does not count what only developers see', async () => {
    const { game_id, account_id, production_key: key, send, planAndApply } = await makeStudio();
    const ledger = { keeps_ledger: true };
    await planAndApply([{ kind: 'leaderboard', key: 'b', definition: ledger }]);
    await server.request('POST', '/v1/identify', { key, body: { player_id: 'p', properties: {} } });
    const definitions = [
      { kind: 'leaderboard', key: 'b', definition: { ...ledger, max_score: 1 } },
      { kind: 'event_schema', key: 'e', definition: { schema: { type: 'object' } } },
      { kind: 'remote_config', key: 'production', definition: { parameters: { a: { value: 1 } } } },
    ];
    const { token } = await server.makeAccessToken(account_id, [game_id], 'viewer');
    const wordsOf = async (by?: string) => {
      const { effects } = (await send('plan', { definitions }, by)).body;
      const of = (kind: string) =>
        (effects as { kind: string; words: string }[])
          .filter((effect) => effect.kind === kind)
          .map(({ words }) => words);
      return { board: of('leaderboard'), schema: of('event_schema'), config: of('remote_config') };
    };
    const all = await wordsOf();
    const seen = await wordsOf(token);
    const hidden = /^The role developer is needed to count the /;
    for (const kind of ['board', 'schema'] as const) {
      assert.equal(seen[kind].length, 1);
      assert.match(seen[kind][0]!, hidden);
      assert.doesNotMatch(all[kind].join('\n'), hidden);
      assert.ok(all[kind].length > 0);
    }
    assert.deepEqual(seen.config, all.config);
    assert.match(all.config[0]!, /^1 of 1 players/);
  });

  test('a plan is good for its own game alone, and nobody learns of another game', async () => {
    const [own, other] = [await makeStudio(), await makeStudio()];
    const { body } = await other.plan(DOCUMENTS);
    const applied = await own.apply(DOCUMENTS, { plan: body.plan });
    assert.equal(applied.status, 409);
    const reached = await server.makeAccessToken(own.account_id, [own.game_id], 'developer');
    for (const token of [own.token, reached.token]) {
      for (const what of ['plan', 'apply'] as const) {
        const sent = { definitions: DOCUMENTS, plan: body.plan };
        const answer = await other.send(what, sent, token);
        assert.deepEqual([answer.status, answer.body.error], [404, 'Game not found']);
      }
    }
    assert.equal((await other.read()).definitions.length, SETTINGS);
  });

  test('documents are looked at only after the membership', async () => {
    const [own, other] = [await makeStudio(), await makeStudio()];
    const wrong = {
      definitions: [{ kind: 'achievement', key: 'x', definition: {} }, 7],
      plan: 'x',
    };
    for (const what of ['plan', 'apply'] as const) {
      assert.equal((await other.send(what, wrong, own.token)).status, 404);
      assert.equal((await own.send(what, wrong)).status, 400);
      assert.equal((await other.send(what, '{"definitions":[', own.token)).status, 400);
    }
  });

  test('the audit log names the token, the commit and the changes of an apply', async () => {
    const studio = await makeStudio();
    const { game_id, account_id, send } = studio;
    const made = await server.makeAccessToken(account_id, [game_id], 'developer', 'Build server');
    const { body } = await studio.plan(DOCUMENTS);
    const applying = { definitions: DOCUMENTS, plan: body.plan, commit: 'abc123' };
    const applied = await send('apply', applying, made.token);
    assert.equal(applied.status, 200);
    const { audit_log } = (await studio.call('GET', '/audit-log')).body;
    const [{ action, target, account_email, details }] = audit_log;
    assert.deepEqual(
      [action, target, account_email],
      ['apply_definitions', body.plan, studio.email],
    );
    const { changes, ...rest } = details;
    assert.deepEqual(rest, {
      commit: 'abc123',
      count: DOCUMENTS.length,
      access_token: 'Build server',
      access_token_id: made.token_id,
    });
    assert.deepEqual(changes, applied.body.changes);
  });
});
