import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Grant } from '../grants-to-earners/grant-store.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeAchievementStudio } from '../test/studio.ts';

const WINS = [{ stat: 'wins', at_least: 100 }];
const BOTH = [...WINS, { stat: 'coins', at_least: 10 }];

suite('achievements that grow with statistics', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Makes a game with the statistics `wins`, `coins` and `best_lap`. */
  async function makeGame() {
    const studio = await makeAchievementStudio(server);
    const { game_id, production_key: key } = studio;
    const { token } = await server.makeAccount({ game_id, role: 'developer' });
    const call = (method: string, path: string, body?: unknown) =>
      server.request(method, `/v1/games/${game_id}${path}`, { token, body });
    for (const body of [
      { key: 'wins', name: 'Wins' },
      { key: 'coins', name: 'Coins' },
      { key: 'best_lap', name: 'Best lap', aggregation: 'min' },
    ]) {
      assert.equal((await call('POST', '/stats', body)).status, 201);
    }
    const list = async (player_id: string) =>
      (await server.request('GET', `/v1/achievements?player_id=${player_id}`, { key })).body
        .achievements as Record<string, unknown>[];
    return {
      ...studio,
      call,
      list,
      /** Changes statistics. @returns the keys of the achievements that the answer names. */
      async change(player_id: string, changes: Record<string, number>): Promise<string[]> {
        const body = {
          player_id,
          changes: Object.entries(changes).map(([stat, value]) => ({ key: stat, value })),
        };
        const answer = await server.request('POST', '/v1/stats', { key, body });
        assert.equal(answer.status, 200, answer.text);
        return answer.body.unlocked.map((each: { key: string }) => each.key);
      },
      hasUnlocked: async (player_id: string, achievement_key: string) =>
        (await list(player_id)).find((each) => each.key === achievement_key)!.unlocked,
      async grant(achievement_key: string): Promise<Grant> {
        const answer = await call('POST', '/achievement-grants', { achievement_key });
        assert.equal(answer.status, 202, answer.text);
        return answer.body;
      },
      async waitForGrant(id: string, state: string): Promise<Grant> {
        let grant: Grant | undefined;
        await waitUntil(`the grant is ${state}`, async () => {
          const { grants } = (await call('GET', '/achievement-grants')).body;
          grant = grants.find((each: Grant) => each.id === id);
          return grant!.state === state;
        });
        return grant!;
      },
    };
  }

  test('an achievement unlocks where its statistic moves, and exactly one caller is told', async () => {
    const game = await makeGame();
    await game.create({ key: 'veteran', name: 'Veteran', points: 10, unlock_when: WINS });
    assert.deepEqual(await game.change('owl', { wins: 99 }), []);
    assert.equal(await game.hasUnlocked('owl', 'veteran'), false);
    const told = await Promise.all(
      Array.from({ length: 20 }, () => game.change('owl', { wins: 1 })),
    );
    assert.deepEqual(told.flat(), ['veteran']);
    assert.equal(await game.hasUnlocked('owl', 'veteran'), true);
    assert.deepEqual(await game.change('owl', { wins: -50 }), []);
    assert.equal(await game.hasUnlocked('owl', 'veteran'), true);
    const listed = (await game.as((await ownerOf(game.game_id)).token).list()).body.achievements;
    assert.equal(listed[0].unlock_count, 1);
  });

  const ownerOf = (game_id: string) => server.makeAccount({ game_id, role: 'viewer' });

  test('a rule with several conditions unlocks once all are met, whatever calls come together', async () => {
    const game = await makeGame();
    await game.create({ key: 'rich', name: 'Rich veteran', unlock_when: BOTH });
    for (let round = 0; round < 10; round++) {
      const player = `p${round}`;
      const told = await Promise.all([
        game.change(player, { wins: 100 }),
        game.change(player, { coins: 10 }),
      ]);
      assert.deepEqual(told.flat(), ['rich'], player);
    }
  });

  test('a staff change of a statistic unlocks too, and the list shows the farthest condition', async () => {
    const game = await makeGame();
    await game.create({ key: 'rich', name: 'Rich', unlock_when: BOTH });
    await game.create({ key: 'plain', name: 'Plain' });
    await game.create({ key: 'secret', name: 'Secret', hidden: true, unlock_when: WINS });
    const progressOf = async (player_id: string) =>
      (await game.list(player_id)).map(({ progress }) => progress);
    assert.deepEqual(await progressOf('owl'), [{ current: 0, target: 100 }, null, null]);
    await game.change('owl', { wins: 37, coins: 9 });
    assert.deepEqual(await progressOf('owl'), [{ current: 37, target: 100 }, null, null]);
    await game.change('owl', { wins: 53 });
    assert.deepEqual(await progressOf('owl'), [{ current: 90, target: 100 }, null, null]);
    const set = await game.call('PUT', '/players/owl/stats/wins', { value: 200, reason: 'Lost' });
    assert.equal(set.status, 200, set.text);
    assert.equal(await game.hasUnlocked('owl', 'secret'), true);
    assert.deepEqual(await progressOf('owl'), [
      { current: 9, target: 10 },
      null,
      { current: 200, target: 100 },
    ]);
  });

  test('an event that moves a statistic unlocks in the transaction of its ingest', async () => {
    const game = await makeGame();
    const source = { event_name: 'won', conditions: [], property: null };
    const made = await game.call('POST', '/stats', { key: 'victories', name: 'Victories', source });
    assert.equal(made.status, 201, made.text);
    const unlock_when = [{ stat: 'victories', at_least: 3 }];
    await game.create({ key: 'winner', name: 'Winner', unlock_when });
    const won = { event_name: 'won', session_id: 's', player_id: 'owl' };
    const key = game.production_key;
    await server.request('POST', '/v1/track', { key, body: [won, won, won] });
    await waitUntil(
      'it is unlocked',
      async () => (await game.hasUnlocked('owl', 'winner')) === true,
    );
  });

  test('webhooks are told of an unlock by a rule', async () => {
    const game = await makeGame();
    const { token } = await server.makeAccount({ game_id: game.game_id });
    const hook = await server.request('POST', `/v1/games/${game.game_id}/webhooks`, {
      token,
      body: { url: 'https://studio.example/hook', events: ['achievement.unlocked'] },
    });
    assert.equal(hook.status, 201, hook.text);
    await game.create({ key: 'veteran', name: 'Veteran', unlock_when: WINS });
    await game.change('owl', { wins: 100 });
    const rows = await server.database.query<{ body: string }>(sql`
      SELECT body FROM webhook_deliveries WHERE game_id = ${game.game_id}`);
    assert.deepEqual(
      rows.map(({ body }) => JSON.parse(body).data.achievement.key),
      ['veteran'],
    );
  });

  test('a rule that cannot hold is refused with the name of the field', async () => {
    const game = await makeGame();
    const cases: [unknown, string][] = [
      [[{ stat: 'x', at_least: 1 }], 'unlock_when[0].stat: the game has no statistic "x"'],
      [
        [...WINS, { stat: 'best_lap', at_least: 1 }],
        'unlock_when[1].stat: best_lap keeps the least value, so it cannot grow',
      ],
      [[...WINS, ...WINS], 'unlock_when[1].stat: wins is named twice'],
      [[{ stat: 'wins', at_least: 0 }], 'unlock_when[0].at_least must be more than 0'],
      [[{ stat: 'wins' }], 'unlock_when[0].at_least is required'],
      [[{ stat: 'wins', at_least: 1, more: 1 }], 'unlock_when[0].more is not allowed'],
      [Array.from({ length: 6 }, () => WINS[0]), 'unlock_when must have at most 5 entries'],
    ];
    for (const [unlock_when, error] of cases) {
      const answer = await game.create({ key: 'a', name: 'A', unlock_when });
      assert.deepEqual([answer.status, answer.body], [400, { error }]);
    }
    assert.equal(await game.listKeys(), '');
  });

  test('a new rule is tried on the past, granted in the background, and the grant undone', async () => {
    const game = await makeGame();
    await game.create({ key: 'veteran', name: 'Veteran', points: 10 });
    const players = Array.from({ length: 230 }, (_, index) => `p${index}`);
    await Promise.all(players.map((player) => game.change(player, { wins: 100 })));
    await game.change('newcomer', { wins: 1 });
    await game.unlock(game.production_key, 'p0', 'veteran');
    const definition = { name: 'Veteran', unlock_when: WINS };
    const tried = await game.call('POST', '/definitions/try?environment=production', {
      kind: 'achievement',
      key: 'veteran',
      definition,
    });
    const [trial] = tried.body.trials;
    assert.deepEqual(trial.players, { count: 229, of: 231 });
    assert.equal(trial.examples.length, 20);
    assert.equal(trial.examples[0].words, 'wins 100 of 100');
    assert.match(trial.words, /^229 players have earned it already in production/);

    const listed: string[] = [];
    const earned = new URLSearchParams({
      environment: 'production',
      filter: JSON.stringify([{ stat: 'wins', operator: 'gte', value: 100 }]),
      without_achievement: 'veteran',
      limit: '100',
    });
    let next_cursor: string | null = null;
    do {
      if (next_cursor !== null) earned.set('cursor', next_cursor);
      const { body } = await game.call('GET', `/players?${earned}`);
      listed.push(...body.players.map((player: { player_id: string }) => player.player_id));
      ({ next_cursor } = body);
    } while (next_cursor !== null);
    assert.deepEqual(listed.toSorted(), players.slice(1).toSorted());

    const refused = await game.call('POST', '/achievement-grants', { achievement_key: 'veteran' });
    assert.deepEqual(
      [refused.status, refused.body.error],
      [409, 'The achievement has no rule: set unlock_when first'],
    );
    await game.patch('veteran', { unlock_when: WINS });
    assert.equal(await game.hasUnlocked('p1', 'veteran'), false);
    // Without a grant, a player gets it with the next change.
    assert.deepEqual(await game.change('p1', { wins: 1 }), ['veteran']);

    const { id, player_count } = await game.grant('veteran');
    assert.equal(player_count, 228);
    const done = await game.waitForGrant(id, 'done');
    assert.equal(done.granted_count, 228);
    assert.equal(await game.hasUnlocked('p229', 'veteran'), true);
    assert.equal(await game.hasUnlocked('newcomer', 'veteran'), false);

    // An unlock of another time is none of the grant.
    assert.equal((await game.call('DELETE', '/players/p2/achievements/veteran')).status, 204);
    await game.unlock(game.production_key, 'p2', 'veteran');
    const undone = await game.call('POST', `/achievement-grants/${id}/undo`);
    assert.equal(undone.status, 202, undone.text);
    await game.waitForGrant(id, 'undone');
    const have = await Promise.all(players.map((player) => game.hasUnlocked(player, 'veteran')));
    const owners = players.filter((_, index) => have[index]);
    assert.deepEqual(owners, ['p0', 'p1', 'p2']);
    const again = await game.call('POST', `/achievement-grants/${id}/undo`);
    assert.equal(again.status, 409);
    const actions = (await game.listChanges()).map(({ action }) => action);
    assert.ok(actions.includes('grant_achievement_to_earners'));
    assert.ok(actions.includes('undo_achievement_grant'));
  });
});
