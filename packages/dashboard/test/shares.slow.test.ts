import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitForIngest } from '../../server/test/inbox.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the page "Rate limits"', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  test('a suggested share can be saved, changed and removed', async () => {
    const { stage, game, owner, ask } = opened;
    const path = gamePath(game, 'shares');
    const { page, close } = await stage.visit(path, {
      token: owner.token,
      expected: /400/,
    });
    const share = async () => (await ask('GET', 'shares')).body.player_requests_per_minute;
    await page.getByText('No player has sent events in the last 7 days').waitFor();
    await page.getByRole('button', { name: 'Use the suggested 120' }).click();
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('The limits apply from now on').waitFor();
    assert.equal(await share(), 120);
    const field = page.getByRole('textbox', { name: 'Requests a minute of one player' });
    assert.equal(await field.inputValue(), '120');
    await field.fill('5');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('must be at least 10').waitFor();
    assert.equal(await share(), 120);
    await field.fill('');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await waitUntil('the share has ended', async () => (await share()) === null);
    await close();
  });

  test('the page warns if a share is below the present traffic, because requests of players would be refused', async () => {
    const { stage, game, owner, send } = opened;
    const event = { event_name: 'e', session_id: 's', player_id: 'ann' };
    for (let batch = 0; batch < 3; batch++) {
      await send(
        'POST',
        '/v1/track',
        Array.from({ length: 100 }, () => event),
      );
    }
    await waitForIngest(stage.server.database, game.game_id);
    const { page, close } = await stage.visit(gamePath(game, 'shares'), { token: owner.token });
    await page.getByText('Events counted').waitFor();
    const field = page.getByRole('textbox', { name: 'Events a minute of one player' });
    await field.fill('100');
    await page.getByText('in a busy minute, as now, would be refused').waitFor();
    await close();
  });

  test('a developer sees the shares of the production environment but cannot change them', async () => {
    const { stage, game } = opened;
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'developer' });
    const { page, close } = await stage.visit(gamePath(game, 'shares'), { token });
    await page.getByText('You need the role admin to change this.').waitFor();
    const field = page.getByRole('textbox', { name: 'Requests a minute of one network' });
    assert.ok(await field.isDisabled());
    assert.equal(await page.getByRole('button', { name: 'Save limits' }).count(), 0);
    await close();
  });
});
