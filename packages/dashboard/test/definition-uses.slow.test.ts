import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('a definition that others use', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  test('names its users where somebody deletes or replaces it', async () => {
    const { stage, game, owner, ask } = opened;
    await ask('PUT', 'saved-reports/segment/Whales', { query: 'tag=whale' });
    const query = `players=${encodeURIComponent(JSON.stringify({ segment: 'Whales' }))}`;
    const cards = [{ title: 'Back', report: 'retention', chart: 'curve', query }];
    await ask('POST', 'dashboards', { name: 'Main', cards });
    const path = gamePath(game, 'segments?tag=whale');
    const { page, close } = await stage.visit(path, { token: owner.token, expected: /409/ });
    const refusal = page.getByText('is used by the card "Back" of the dashboard "Main"');
    await page.getByRole('button', { name: 'Whales' }).click();
    await page.getByRole('menuitem', { name: 'Delete Whales' }).click();
    await refusal.waitFor();

    await page.goto(page.url().replace('tag=whale', 'tag=vip'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Whales');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByText('is used by the card "Back" of the dashboard "Main"').waitFor();
    await dialog.getByRole('button', { name: 'Replace for all of them' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { body } = await ask('GET', 'saved-reports');
    assert.equal(body.saved_reports[0].query, 'tag=vip');
    await close();
  });

  test('names the alerts that a webhook or a member will no longer hear', async () => {
    const { stage, game, owner, ask } = opened;
    const webhook = await ask('POST', 'webhooks', {
      url: 'https://example.com/x',
      events: ['player.erased'],
    });
    const member = await stage.server.makeAccount({ game_id: game.game_id, role: 'developer' });
    const alert = { metric: 'active_players', comparison: 'below', threshold: 1 };
    await ask('POST', 'alerts', {
      ...alert,
      name: 'Players stay away',
      environment: 'production',
      webhook_ids: [webhook.body.id],
    });
    await ask('POST', 'alerts', {
      ...alert,
      name: 'Nobody tests',
      environment: 'development',
      webhook_ids: [webhook.body.id],
      account_ids: [member.account_id],
    });
    const { page, close } = await stage.visit(gamePath(game, `webhooks/${webhook.body.id}`), {
      token: owner.token,
    });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog
      .getByText('2 alerts: “Players stay away”, which then tells nobody; “Nobody tests”.')
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: `Remove ${member.email}` }).click();
    await dialog.getByText('No longer told by 1 alert: “Nobody tests”.').waitFor();
    await close();
  });
});
