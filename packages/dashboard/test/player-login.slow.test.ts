import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages of player login', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;

  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    owner = await stage.server.makeAccount({ game_id: game.game_id });
  });
  after(() => stage.close());

  const readProvider = (provider: string) =>
    stage.server.database.queryOne<{ environment: string; settings: Record<string, unknown> }>(sql`
      SELECT environment, settings FROM login_providers
      WHERE game_id = ${game.game_id} AND provider = ${provider}`);

  test('a provider can be registered, changed and removed', async () => {
    const path = gamePath(game, 'player-login');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByRole('button', { name: 'New provider' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Players log in with' }).click();
    await page.getByRole('option', { name: 'Google' }).click();
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await dialog.getByText('At least one client id is required').waitFor();
    await dialog.getByRole('combobox', { name: 'Client ids' }).fill('client-1');
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await page.getByRole('cell', { name: 'https://accounts.google.com' }).waitFor();
    const stored = await readProvider('google');
    assert.equal(stored!.environment, 'production');
    assert.deepEqual(stored!.settings.audiences, ['client-1']);

    await page.getByRole('button', { name: 'Edit google' }).click();
    await dialog.getByRole('textbox', { name: 'Issuer' }).fill('https://issuer.example');
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await page.getByRole('cell', { name: 'https://issuer.example' }).waitFor();

    await page.getByRole('button', { name: 'Delete google' }).click();
    await dialog.getByRole('textbox').fill('google');
    await dialog.getByRole('button', { name: 'Remove provider' }).click();
    await page.getByText('Players log in by device alone').waitFor();
    assert.equal(await readProvider('google'), null);
    await close();
  });

  test('a secret is stored and never shown again', async () => {
    const path = gamePath(game, 'player-login');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByRole('button', { name: 'New provider' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Secret', { exact: true })
      .fill('a secret of forty characters, or a little more');
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await page.getByRole('cell', { name: 'A secret of your server' }).waitFor();
    await page.getByRole('button', { name: 'Edit custom' }).click();
    assert.equal(await dialog.getByLabel('Secret', { exact: true }).inputValue(), '');
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  test('staff can remove a login of a player', async () => {
    const key = game.production_key;
    const device = { provider: 'device', device_id: 'device of p1', secret: 'x'.repeat(43) };
    await stage.server.request('POST', '/v1/players/login', {
      key,
      body: { ...device, player_id: 'p1' },
    });
    const path = gamePath(game, 'players/p1?tab=logins');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByRole('button', { name: 'Remove device device of p1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is the last login').waitFor();
    await dialog.getByRole('button', { name: 'Remove login' }).click();
    await page.getByText('Nobody has claimed this player').waitFor();
    await close();
  });
});
