import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages of API keys', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;

  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    const { game_id } = game;
    owner = await stage.server.makeAccount({ game_id, is_administrator: true });
  });
  after(() => stage.close());

  const make = async (name: string, environment: string, by: TestAccount) => {
    const path = `/v1/games/${game.game_id}/api-keys`;
    const body = { name, environment };
    const answer = await stage.server.request('POST', path, { token: by.token, body });
    return answer.body as { id: string; key: string; prefix: string };
  };

  /** Asserts that the page breaks no serious rule of accessibility, in either theme. */
  const checkAccess = async (page: Page, where: string) => {
    await loadAxe(page);
    for (const theme of ['dark', 'light'] as const) {
      await setTheme(page, theme);
      const found = await findViolations(page, 'body');
      const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
        [],
        `${where} ${theme}`,
      );
    }
  };

  test('an open page shows that a key has expired', async () => {
    const { id } = await make('Old build', 'production', owner);
    const path = `/v1/games/${game.game_id}/api-keys/${id}/rotate`;
    const { page, close } = await stage.visit(gamePath(game, 'api-keys'), { token: owner.token });
    await page.getByRole('button', { name: 'Rotate Old build' }).waitFor();
    const body = { old_key_valid_hours: 1 / 3_600 };
    await stage.server.request('POST', path, { token: owner.token, body });
    await page.getByText(/^expired/).waitFor();
    await close();
  });

  test('the dialog that locks an account links to the keys that the account made', async () => {
    const { game_id } = game;
    const maker = await stage.server.makeAccount({ game_id, role: 'admin' });
    await make('Console build', 'production', maker);
    const { page, close } = await stage.visit('/admin', { token: owner.token });
    await page.getByLabel('Search accounts').fill(maker.email);
    await page.getByRole('button', { name: `Lock ${maker.email}` }).click();
    await page.getByRole('dialog').getByText('Console build').waitFor();
    await checkAccess(page, 'lock');
    await page.getByRole('dialog').getByRole('link', { name: 'Test game' }).click();
    await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Rotate Console build' }).waitFor();
    await close();
  });
});
