import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStage, withoutBrowser } from './browser.ts';
import type { Stage, VisitOptions } from './browser.ts';

describe('the API reference in a browser', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  /** Opens the reference at an operation. Fails if the page is wider than the window. */
  async function visitOperation(name: string, path: string, options: VisitOptions) {
    const visit = await stage.visit(`/docs#tag/achievements/${path}`, options);
    await visit.page.getByRole('heading', { name }).first().waitFor();
    const overflow = await visit.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(overflow, 0);
    return visit;
  }

  test('shows an operation on a narrow screen in the dark theme', async () => {
    const name = 'Unlock an achievement for a player';
    const path = 'POST/v1/achievements/unlock';
    const { close } = await visitOperation(name, path, { theme: 'dark', width: 390 });
    await close();
  });

  test('lists every heading, and calls the API with a key', async () => {
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
