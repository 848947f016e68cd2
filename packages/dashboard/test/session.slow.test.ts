import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('sessions and roles', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    owner = await stage.server.makeAccount({ game_id: game.game_id });
  });
  after(() => stage.close());

  test('an invalid token leads to the login page, and the login leads back', async () => {
    const { game_id } = game;
    const { page, close } = await stage.visit(gamePath(game, 'players?search=fox'), {
      token: `${owner.token.slice(0, -8)}AAAAAAAA`,
      expected: /401/,
    });
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Invalid email or password').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Players' }).waitFor();
    assert.ok(page.url().endsWith(`/games/${game_id}/production/players?search=fox`), page.url());
    await close();
  });

  test('a token that becomes invalid during work leads to the login page', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'achievements'), {
      token: owner.token,
      // If a 401 comes while React renders, React reports it and renders again.
      expected: /401|React error #520/,
    });
    await page.getByRole('heading', { name: 'Achievements', level: 1 }).waitFor();
    await page.evaluate(`localStorage.setItem('overworld.token', 'not a token')`);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('Your session has ended').waitFor();
    assert.match(page.url(), /return_to=%2Fgames%2F/);
    await close();
  });

  test('pages of a game need a login, and return_to cannot lead out of the app', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'api-keys'));
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goto('/login?return_to=//elsewhere.example/x');
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Test game' }).waitFor();
    assert.ok(page.url().startsWith(stage.server.url));
    await close();
  });

  test('the login page shows that an account is locked, in the words of the server', async () => {
    const { page, close } = await stage.visit('/login', { expected: /401|403/ });
    const button = page.getByRole('button', { name: 'Log in' });
    for (let attempt = 1; attempt <= 6; attempt++) {
      await page.getByLabel('E-mail').fill('nobody@studio.example');
      await page.getByLabel('Password', { exact: true }).fill(`wrong ${attempt}`);
      await Promise.all([page.waitForResponse(/auth\/login/), button.click()]);
    }
    await page.getByText('Too many failed logins', { exact: false }).waitFor();
    await close();
  });

  test('a developer can make development keys but no production key', async () => {
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'developer' });
    const { page, close } = await stage.visit(gamePath(game, 'api-keys'), { token });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByText('A production key needs the role admin').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Production' }).isDisabled());
    await page.getByLabel('Name').fill('Build server');
    await page.getByRole('button', { name: 'Create key' }).click();
    assert.match(await page.getByTestId('new-key').innerText(), /^ow_dev_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke Build server' }).waitFor();
    await close();
  });

  test('while the server cannot be reached, a page shows a warning and keeps typed text', async () => {
    const { page, context, close } = await stage.visit(gamePath(game, 'settings'), {
      token: owner.token,
      expected: /ERR_INTERNET_DISCONNECTED|Failed to load/,
    });
    await page.getByLabel('Name').fill('A longer name');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Overworld cannot be reached', { exact: true }).waitFor();
    await page.getByText('Nothing you typed is lost').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), 'A longer name');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing you typed is lost').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Renamed').waitFor();

    // The page undoes a change that it has shown but cannot store, and keeps the typed text.
    await stage.server.request('POST', '/v1/identify', {
      key: game.production_key,
      body: { player_id: 'p2', properties: { level: 1 } },
    });
    await go(page, gamePath(game, 'players/p2'), 'p2');
    await page.getByRole('button', { name: 'Edit level' }).click();
    await context.setOffline(true);
    const field = page.getByLabel('Value of level');
    await field.fill('77');
    await field.press('Enter');
    await page.getByText('Nothing you typed is lost').waitFor();
    await field.waitFor();
    assert.equal(await field.inputValue(), '77');
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.fill('beta');
    await tags.press('Enter');
    await page.getByText('beta', { exact: true }).waitFor({ state: 'detached' });
    await until('the tag is to be typed no more', async () => (await tags.inputValue()) === 'beta');
    await context.setOffline(false);
    await field.press('Enter');
    await page.getByRole('region', { name: 'Properties' }).getByText('77').waitFor();
    await close();
  });
});
