import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('an experiment', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    await opened.ask('PUT', 'config', {
      parameters: { daily_reward: { value: 100, rules: [{ has_tags: ['vip'], value: 150 }] } },
    });
    await opened.send('POST', '/v1/track', {
      event_name: 'purchase',
      session_id: 's',
      player_id: 'p1',
      properties: { price: 5 },
    });
  });
  after(() => opened.stage.close());

  test('a draft is edited, a running one gets a larger share, and a stopped one is deleted', async () => {
    const { stage, game, owner, ask } = opened;
    const { body } = await ask('POST', 'experiments', {
      name: 'Second',
      share: 10,
      condition: { has_tags: ['vip'] },
      variants: [
        { name: 'A', weight: 1 },
        { name: 'B', weight: 3, values: { daily_reward: { coins: 5 } } },
      ],
      metrics: [{ kind: 'event_count', event_name: 'purchase', days: 3, cap: 9 }],
    });
    const { page, close } = await stage.visit(gamePath(game, `experiments/${body.id}`), owner);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await page.getByRole('button', { name: 'Store draft' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    const { body: edited } = await ask('GET', `experiments/${body.id}`);
    assert.deepEqual(edited, { ...body, name: 'Renamed' });

    await ask('POST', `experiments/${body.id}/start`);
    await page.reload();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Raise the share' }).click();
    const share = page.getByRole('textbox', { name: 'Share of the players' });
    await share.fill('5');
    await page.getByRole('dialog').getByRole('button', { name: 'Raise the share' }).click();
    await page.getByText('Enter a number from 10 to 100').waitFor();
    await share.fill('25.5');
    await page.getByRole('dialog').getByRole('button', { name: 'Raise the share' }).click();
    await page.getByText('25.5%').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Stop experiment' }).click();
    await page.getByText('Stopped').waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete experiment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete experiment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor();
    assert.equal((await ask('GET', `experiments/${body.id}`)).status, 404);
    await close();
  });

  test('a viewer sees everything and changes nothing', async () => {
    const { stage, game } = opened;
    const { game_id } = game;
    const viewer = await stage.server.makeAccount({ game_id, role: 'viewer' });
    const { page, close } = await stage.visit(gamePath(game, 'experiments'), viewer);
    await page.getByRole('link', { name: 'Higher reward' }).click();
    await page.getByText('Generous is likely better: +').waitFor();
    for (const name of ['Ship the winner', 'Actions', 'Stop', 'Start']) {
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    }
    await close();
  });
});
