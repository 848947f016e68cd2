import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import type { Grant } from '../grants-to-earners/grant-store.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Makes a game whose players have won: `owl` three times, `fox` once. */
async function makeGame() {
  const game = await server.makeGame();
  const { game_id, production_key: key, development_key } = game;
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const steer = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token, body });
  const win = async (player_id: string, with_key = key) => {
    const body = { event_name: 'win', player_id, session_id: 's' };
    const { status, text } = await server.request('POST', '/v1/track', { key: with_key, body });
    assert.equal(status, 202, text);
  };
  for (const player_id of ['owl', 'owl', 'owl', 'fox']) await win(player_id);
  await win('owl', development_key);
  // Events that are stored after the source is set count by themselves, without a grant.
  await waitForIngest(server.database, game_id);
  const change = async (method: string, path: string, body: object) => {
    const { status, text } = await steer(method, path, body);
    assert.ok(status < 300, text);
  };
  return {
    steer,
    win,
    change,
    listGrants: async (): Promise<Grant[]> =>
      (await steer('GET', '/achievement-grants?environment=production')).body.grants,
    waitForCount: () =>
      waitUntil('the events are counted', async () => {
        const { stats } = (await steer('GET', '/stats')).body;
        return stats.every((stat: { is_counting: boolean }) => !stat.is_counting);
      }),
    hasUnlocked: async (player_id: string): Promise<boolean> => {
      const path = `/v1/achievements?player_id=${player_id}`;
      const { achievements } = (await server.request('GET', path, { key })).body;
      return achievements[0].unlocked;
    },
  };
}

test('players who earned an achievement by the past events of a new source get it by a grant', async () => {
  const game = await makeGame();
  await game.change('POST', '/stats', { key: 'wins', name: 'Wins' });
  const unlock_when = [{ stat: 'wins', at_least: 3 }];
  await game.change('POST', '/achievements', { key: 'veteran', name: 'Veteran', unlock_when });
  await game.change('PATCH', '/stats/wins', { source: { event_name: 'win' } });
  await waitUntil('owl has it', () => game.hasUnlocked('owl'));
  assert.equal(await game.hasUnlocked('fox'), false);
  await waitUntil('the grant is done', async () => (await game.listGrants())[0]!.state === 'done');
  const grants = await game.listGrants();
  assert.deepEqual(
    grants.map(({ achievement_key, environment, player_count, granted_count }) => [
      achievement_key,
      environment,
      player_count,
      granted_count,
    ]),
    [['veteran', 'production', 1, 1]],
  );

  await game.win('fox');
  await game.win('fox');
  await waitUntil('fox has it, too', () => game.hasUnlocked('fox'));
  const undone = await game.steer('POST', `/achievement-grants/${grants[0]!.id}/undo`);
  assert.equal(undone.status, 202, undone.text);
  await waitUntil('it is taken back', async () => !(await game.hasUnlocked('owl')));
  assert.equal(await game.hasUnlocked('fox'), true);
});

test('a new source grants nothing that nobody has earned, and nothing archived', async () => {
  const game = await makeGame();
  await game.change('POST', '/stats', { key: 'wins', name: 'Wins' });
  for (const [key, at_least] of [
    ['legend', 4],
    ['old', 1],
  ] as const) {
    const unlock_when = [{ stat: 'wins', at_least }];
    await game.change('POST', '/achievements', { key, name: key, unlock_when });
  }
  await game.change('PATCH', '/achievements/old', { archived: true });
  await game.change('PATCH', '/stats/wins', { source: { event_name: 'win' } });
  await game.waitForCount();
  assert.deepEqual(await game.listGrants(), []);
});
