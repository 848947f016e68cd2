import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findViolations, loadAxe } from './axe.ts';
import { openStage, withoutBrowser } from './browser.ts';
import type { Stage, VisitOptions } from './browser.ts';

describe('the API reference in a browser', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  /** Opens the explorer at an operation. Fails if the page is wider than the window. */
  async function visitOperation(name: string, path: string, options: VisitOptions) {
    const visit = await stage.visit(`/docs/explorer#tag/achievements/${path}`, options);
    await visit.page.getByRole('heading', { name }).first().waitFor();
    const overflow = await visit.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(overflow, 0);
    return visit;
  }

  test('its pages load no script, meet the rules of axe and fit each width, and lead to the explorer', async () => {
    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      const { page, close } = await stage.visit('/docs', { theme, width });
      await page.getByRole('link', { name: 'Unlock an achievement for a player' }).click();
      await page.waitForURL('**/docs/achievements#unlockAchievement');
      const call = page.getByRole('region', { name: 'Unlock an achievement for a player' });
      await call.getByText('200', { exact: true }).click();
      await call.getByText('Points of all that this player has unlocked.').waitFor();
      for (const path of ['/docs/webhooks', '/docs']) {
        await page.goto(path);
        assert.equal(await page.locator('script').count(), 0);
        await page.evaluate('document.querySelectorAll("details").forEach((d) => (d.open = true))');
        const overflow =
          'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        assert.equal(await page.evaluate(overflow), 0, `${path} at ${width}`);
        await loadAxe(page);
        assert.deepEqual(await findViolations(page, 'html'), [], `${path} at ${width}, ${theme}`);
      }
      await close();
    }
    const { page, close } = await stage.visit('/docs/achievements', {});
    await page.getByRole('link', { name: 'Try: Unlock an achievement for a player' }).click();
    await page.getByRole('button', { name: 'Test Request' }).first().waitFor();
    await close();
  });

  test('the explorer shows an operation on a narrow screen in the dark theme', async () => {
    const name = 'Unlock an achievement for a player';
    const path = 'POST/v1/achievements/unlock';
    const { close } = await visitOperation(name, path, { theme: 'dark', width: 390 });
    await close();
  });

  test('the explorer lists every heading, and calls the API with a key', async () => {
    const game = await stage.server.makeGame();
    const name = 'List the achievements and the unlocks of a player';
    const path = 'GET/v1/achievements';
    const { page, close } = await visitOperation(name, path, { theme: 'light' });
    const sidebar = page.getByRole('complementary').first();
    const { body: description } = await stage.server.request('GET', '/v1/openapi.json');
    for (const heading of description.tags as { name: string }[]) {
      await sidebar.getByText(heading.name, { exact: true }).first().waitFor();
    }
    const section = page.locator(`section[id$="${path}"]`);
    await section.getByRole('button', { name: 'Test Request' }).click();
    const client = page.getByRole('dialog', { name: 'API Client' });
    await client.locator('.scalar-password-input').first().fill(game.production_key);
    const answered = page.waitForResponse('**/v1/achievements');
    await client.getByRole('button', { name: 'Send' }).first().click();
    assert.equal((await answered).status(), 200);
    await client.getByText('total_points').first().waitFor();
    await close();
  });
});
