import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
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
});
