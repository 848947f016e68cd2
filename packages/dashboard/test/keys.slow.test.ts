import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages of API keys', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let member: TestAccount;

  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    const { game_id } = game;
    owner = await stage.server.makeAccount({ game_id, is_administrator: true });
    member = await stage.server.makeAccount({ game_id, role: 'admin' });
  });
  after(() => stage.close());

  const make = async (name: string, environment: string, by: TestAccount) => {
    const path = `/v1/games/${game.game_id}/api-keys`;
    const body = { name, environment };
    const answer = await stage.server.request('POST', path, { token: by.token, body });
    return answer.body as { id: string; key: string; prefix: string };
  };
  const statusOf = async (key: string) =>
    (await stage.server.request('GET', '/v1/achievements', { key })).status;

  /** Asserts that the page has no serious accessibility violation in either theme. */
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

  test('rotating a key shows the new key once, and the old key ends at the chosen time or immediately', async () => {
    const old = await make('Steam build', 'production', owner);
    const { page, close } = await stage.visit(gamePath(game, 'api-keys'), { token: owner.token });
    await page.getByRole('button', { name: 'Rotate Steam build' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Until then both keys work').waitFor();
    await dialog.getByRole('combobox', { name: 'The old key works on for' }).click();
    await page.getByRole('option', { name: 'Not at all' }).click();
    await dialog.getByText('refused within a second').waitFor();
    await checkAccess(page, 'rotate');
    await dialog.getByRole('combobox', { name: 'The old key works on for' }).click();
    await page.getByRole('option', { name: '7 days' }).click();
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    const key = await page.getByTestId('new-key').innerText();
    await dialog.getByText(`The old key ${old.prefix}… works until`).waitFor();
    await checkAccess(page, 'rotated');
    await page.getByRole('button', { name: 'Done' }).click();
    assert.deepEqual([await statusOf(old.key), await statusOf(key)], [200, 200]);

    const row = page.getByRole('row').filter({ hasText: 'replaced by' });
    await row.getByText(`replaced by ${key.slice(0, old.prefix.length)}…`).waitFor();
    await row.getByText(/ends in [67] days/).waitFor();
    await row.getByText(`by ${owner.email}`).waitFor();
    await checkAccess(page, 'keys');
    await row.getByRole('button', { name: /^End now: Steam build/ }).click();
    await dialog.getByRole('textbox').fill('Steam build');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText(/^revoked/).waitFor();
    assert.deepEqual([await statusOf(old.key), await statusOf(key)], [401, 200]);
    await close();
  });

  for (const width of [1440, 390]) {
    test(`only the chosen keys of a removed member are revoked, in a window ${width} pixels wide`, async () => {
      const { game_id } = game;
      const leaving = await stage.server.makeAccount({ game_id, role: 'admin' });
      const kept = await make('Kept build', 'development', leaving);
      const revoked = await make('Their build', 'production', leaving);
      await make('My build', 'production', owner);
      const { page, close } = await stage.visit(gamePath(game, 'members'), {
        token: owner.token,
        width,
      });
      await page.getByRole('button', { name: `Remove ${leaving.email}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: 'Kept build' }).waitFor();
      assert.equal(await dialog.getByRole('checkbox').count(), 2);
      assert.equal(await dialog.getByRole('checkbox', { checked: true }).count(), 0);
      await dialog.getByRole('checkbox', { name: 'Their build' }).click();
      await checkAccess(page, `remove-${width}`);
      await dialog.getByRole('textbox').fill(leaving.email);
      await dialog.getByRole('button', { name: 'Remove member, revoke 1 key' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(leaving.email).waitFor({ state: 'detached' });
      assert.deepEqual([await statusOf(revoked.key), await statusOf(kept.key)], [401, 200]);
      await go(page, gamePath(game, 'api-keys'), 'API Keys');
      const row = page.getByRole('row').filter({ hasText: 'Kept build' });
      await row.getByText(`by ${leaving.email}, no member now`).first().waitFor();
      await checkAccess(page, `keys-${width}`);
      await close();
    });
  }

  test('a member can be removed only once the list of their keys is shown', async () => {
    const { game_id } = game;
    const leaving = await stage.server.makeAccount({ game_id, role: 'admin' });
    await make('Late build', 'development', leaving);
    const { page, close } = await stage.visit(gamePath(game, 'members'), { token: owner.token });
    const answered = Promise.withResolvers<void>();
    await page.route('**/api-keys?*', (route) => answered.promise.then(() => route.continue()));
    await page.getByRole('button', { name: `Remove ${leaving.email}` }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Remove member' });
    await dialog.getByLabel('Loading').waitFor();
    assert.ok(await confirm.isDisabled());
    answered.resolve();
    await dialog.getByRole('checkbox', { name: 'Late build' }).waitFor();
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  test('a member who leaves can revoke only those of their own keys that their role lets them revoke', async () => {
    const production = await make('Console build', 'production', member);
    const development = await make('Laptop', 'development', member);
    await stage.server.database.execute(sql`
      UPDATE game_members SET role = 'developer' WHERE account_id = ${member.account_id}`);
    const { page, close } = await stage.visit(gamePath(game, 'members'), { token: member.token });
    await page.getByRole('button', { name: 'Leave' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('API keys that you made').waitFor();
    assert.ok(await dialog.getByRole('checkbox', { name: 'Console build' }).isDisabled());
    await dialog.getByRole('checkbox', { name: 'Laptop' }).click();
    await dialog.getByRole('button', { name: 'Leave, revoke 1 key' }).click();
    await until('the key is revoked', async () => (await statusOf(development.key)) === 401);
    assert.equal(await statusOf(production.key), 200);
    await page.getByRole('heading', { name: 'Your first game' }).waitFor();
    await close();
  });

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
    await make('Night build', 'production', maker);
    const { page, close } = await stage.visit('/admin', { token: owner.token });
    await page.getByLabel('Search accounts').fill(maker.email);
    await page.getByRole('button', { name: `Lock ${maker.email}` }).click();
    await page.getByRole('dialog').getByText('Night build').waitFor();
    await checkAccess(page, 'lock');
    await page.getByRole('dialog').getByRole('link', { name: 'Test game' }).click();
    await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Rotate Night build' }).waitFor();
    await close();
  });
});
