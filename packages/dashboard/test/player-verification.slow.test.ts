import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the page of player verification', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  test('a setting says which calls it refuses or allows, and applies only after the reader confirms it', async () => {
    const { stage, game, owner, send, ask } = opened;
    await send('POST', '/v1/identify', { player_id: 'ann', properties: {} });
    const path = gamePath(game, 'player-verification');
    const { page, close } = await stage.visit(path, { token: owner.token });
    const setting = async () => (await ask('GET', 'player-verification')).body.verification;
    await page.getByText('0 players of 1 logged in').waitFor();
    await page.getByRole('radio', { name: 'Required' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Calls without a token are refused').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await setting(), 'off');
    await page.getByRole('radio', { name: 'Required' }).click();
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await page.getByText('The setting applies from now on').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Required' }).isChecked());
    assert.equal(await setting(), 'required');
    await page.getByRole('radio', { name: 'Claimed players' }).click();
    await dialog.getByText('act for 1 player who never logged in').waitFor();
    await close();
  });

  test('logins that take over players can be refused, after a confirmation, and allowed again', async () => {
    const { stage, game, owner, ask } = opened;
    const path = gamePath(game, 'player-verification');
    const { page, close } = await stage.visit(path, { token: owner.token });
    const allows = async () => (await ask('GET', 'player-verification')).body.allows_claims;
    const claims = page.getByRole('switch', { name: /^A login may take over/ });
    await claims.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual([await claims.isChecked(), await allows()], [true, true]);
    await claims.click();
    await dialog.getByRole('button', { name: 'Refuse them' }).click();
    await page.getByText('The setting applies from now on').waitFor();
    assert.deepEqual([await claims.isChecked(), await allows()], [false, false]);
    await claims.click();
    await dialog.getByRole('button', { name: 'Let them' }).click();
    await page.getByText('The setting applies from now on').last().waitFor();
    await close();
  });

  test('a developer sees the setting of production but cannot change it', async () => {
    const { stage, game } = opened;
    const { token } = await stage.server.makeAccount({
      game_id: game.game_id,
      role: 'developer',
    });
    const { page, close } = await stage.visit(gamePath(game, 'player-verification'), { token });
    await page.getByText('You need the role admin to change this.').first().waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Off' }).isDisabled());
    await close();
  });
});
