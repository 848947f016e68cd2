import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { makeFullGame } from '../../server/test/full-game.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the overview of a studio', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  test('lists the scores that wait and the experiments that run, and leads to them', async () => {
    const game = await stage.server.makeGame();
    const { game_id, production_key: key } = game;
    const { token } = await stage.server.makeAccount({ game_id });
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await stage.server.request(method, `/v1/games/${game_id}/${path}`, {
        token,
        body,
      });
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    const { page, close } = await stage.visit(gamePath(game, 'overview'), { token });
    await page.getByText('No players yet').waitFor();
    const waiting = page.getByRole('region', { name: 'Scores that wait for a decision' });
    const running = page.getByRole('region', { name: 'Experiments that run' });
    assert.equal((await waiting.count()) + (await running.count()), 0);

    const body = { board_name: 'race', player_id: 'fox', score: 9 };
    await stage.server.request('POST', '/v1/leaderboards', { key, body });
    await ask('POST', 'leaderboards/race/entries/fox/quarantine?environment=production', {
      state: 'waiting',
      reason: 'Impossible',
    });
    await ask('PUT', 'config', { parameters: { reward: { value: 1 } } });
    const { id } = await ask('POST', 'experiments', {
      name: 'Higher reward',
      share: 100,
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'Generous', weight: 1, values: { reward: 2 } },
      ],
      metrics: [{ kind: 'retention', days: 1 }],
    });
    await page.reload();
    await waiting.getByText('1 score', { exact: true }).waitFor();
    assert.equal(await running.count(), 0, 'a draft does not run');
    await ask('POST', `experiments/${id}/start`);
    await page.reload();
    await running.getByRole('link', { name: 'Higher reward' }).click();
    await page.getByRole('heading', { name: 'Higher reward', level: 1 }).waitFor();
    await go(page, gamePath(game, 'overview'), 'Test game');
    await waiting.getByRole('link', { name: 'race' }).click();
    await page.getByRole('tab', { name: 'Waiting 1', selected: true }).waitFor();
    await close();
  });

  test('names the alerts that fire, which open with a click', async () => {
    const game = await makeFullGame(stage.server, { marker: 'pine' });
    await stage.server.database.ofGame(game.game_id).execute(sql`
      UPDATE alerts SET state = 'firing' WHERE game_id = ${game.game_id}`);
    const { page, close } = await stage.visit(gamePath(game, 'overview'), {
      token: game.owner.token,
      expected: /icons\.example|ERR_NAME_NOT_RESOLVED/,
    });
    const firing = page.getByRole('region', { name: 'Alerts that fire' });
    await firing.getByRole('link', { name: 'pine alert' }).click();
    await page.getByRole('dialog', { name: 'Edit alert' }).waitFor();
    await until('the address names it', async () => page.url().includes('alerts?open='));
    await close();
  });
});
