import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages of access tokens', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let admin: TestAccount;
  let developer: TestAccount;

  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    const { game_id } = game;
    admin = await stage.server.makeAccount({ game_id, role: 'admin' });
    developer = await stage.server.makeAccount({ game_id, role: 'developer' });
  });
  after(() => stage.close());

  const statusOf = async (token: string, path = '') =>
    (await stage.server.request('GET', `/v1/games/${game.game_id}${path}`, { token })).status;

  for (const width of [390, 1440]) {
    test(`a member makes a token, sees it once, and revokes it, ${width} px wide`, async () => {
      const visited = { token: developer.token, width, expected: /400/ };
      const { page, close } = await stage.visit(gamePath(game, 'access-tokens'), visited);
      await page.getByText('No tokens yet').waitFor();
      await page.getByRole('button', { name: 'New token' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Nightly build');
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      const owner = page.getByRole('option', { name: 'Owner' });
      assert.notEqual(await owner.getAttribute('data-combobox-disabled'), null);
      await page.getByRole('option', { name: 'Reports only' }).click();
      await dialog.getByText('Reads reports on all players').waitFor();
      await dialog.getByLabel('Your password').fill('a wrong password');
      await dialog.getByRole('button', { name: 'Make token' }).click();
      await dialog.getByText('Your password is wrong').waitFor();
      await dialog.getByLabel('Your password').fill(developer.password);
      await page.keyboard.press('Enter');
      const token = await page.getByTestId('new-key').innerText();
      await dialog.getByRole('button', { name: 'Copy token' }).waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      assert.equal(await page.getByText(token).count(), 0);
      const reports = '/analytics/active-players?from=2026-03-01&to=2026-03-02';
      assert.deepEqual([await statusOf(token, reports), await statusOf(token)], [200, 403]);

      const row = page.getByRole('row').filter({ hasText: 'Nightly build' });
      await row.getByText('reports only').waitFor();
      await row.getByText(`${token.slice(0, 13)}…`).waitFor();
      // On a phone the button is in a row of its own.
      await page.getByRole('button', { name: 'Revoke Nightly build' }).click();
      await dialog.getByText('no longer reaches').waitFor();
      await dialog.getByRole('button', { name: 'Revoke token' }).click();
      await page.getByText('No tokens yet').waitFor();
      assert.equal(await statusOf(token, reports), 401);
      await close();
    });
  }

  test('admins revoke the tokens of other members for their game, whose other games go on', async () => {
    const other = await stage.server.makeGame();
    await stage.server.database.execute(sql`
      INSERT INTO game_members (game_id, account_id, role)
      VALUES (${other.game_id}, ${developer.account_id}, 'viewer')`);
    const ids = [game.game_id, other.game_id];
    const { token } = await stage.server.makeAccessToken(developer.account_id, ids, 'viewer');
    const visited = { token: admin.token };
    const { page, close } = await stage.visit(gamePath(game, 'access-tokens'), visited);
    const row = page.getByRole('row').filter({ hasText: developer.email });
    await row.getByRole('button', { name: 'Revoke test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
    await until('the token is gone', async () => (await row.count()) === 0);
    assert.equal(await statusOf(token), 404);
    const games = await stage.server.request('GET', '/v1/games', { token });
    assert.equal(games.body.games[0].id, other.game_id);
    await close();
  });

  test('the account page lists the tokens of all games', async () => {
    const { page, close } = await stage.visit('/account', { token: developer.token });
    const table = page.getByRole('region', { name: 'Access tokens' });
    await table.getByText('Test game').first().waitFor();
    await table.getByRole('button', { name: 'Revoke test' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('No tokens yet').waitFor();
    await close();
  });

  test('the audit log names the token that made a change, below its member', async () => {
    const { game_id } = game;
    const { token } = await stage.server.makeAccessToken(admin.account_id, [game_id], 'admin');
    const body = { name: 'Other name' };
    await stage.server.request('PATCH', `/v1/games/${game_id}`, { token, body });
    const { page, close } = await stage.visit(gamePath(game, 'audit-log'), { token: admin.token });
    const row = page.getByRole('row').filter({ hasText: 'Changed settings' });
    await row.getByText(admin.email).waitFor();
    await row.getByText('token test').waitFor();
    await close();
  });
});
