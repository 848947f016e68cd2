import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Request } from 'playwright-core';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

/** The maximum size of the JavaScript of a page, as compressed by the server. */
const FIRST_LOAD_LIMIT_BYTES = 200_000;

describe('a new installation', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  test('tells where the setup link is, and offers no form without it', async () => {
    const { page, close } = await stage.visit('/');
    await page.getByText('This installation has no administrator yet').waitFor();
    await page.getByText('npx overworld setup-link', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('E-mail').count(), 0);
    await close();
  });

  test('a wrong setup link is refused with the reason', async () => {
    const { page, close } = await stage.visit('/register#setup=made-up', { expected: /403/ });
    await page.getByLabel('E-mail').fill('eve@evil.example');
    await page.getByLabel('Password', { exact: true }).fill('long enough');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('The setup token is wrong: open the link').waitFor();
    await close();
  });

  test('leads from the setup link to the first event', async () => {
    const link = `/register#setup=${await stage.server.findSetupToken()}`;
    const { page, close } = await stage.visit(link, { expected: /status of 400/ });
    await page.getByRole('heading', { name: 'Set up Overworld' }).waitFor();
    await page.getByLabel('E-mail').fill('mira@studio.example');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Password must have at least 8 characters').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('long enough');
    await page.getByRole('button', { name: 'Create account' }).click();

    await page.getByRole('heading', { name: 'Your first game' }).waitFor();
    await page.getByRole('button', { name: 'Create game' }).click();
    await page.getByText('Name must', { exact: false }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Sky Harbour');
    await page.getByRole('button', { name: 'Create game' }).click();

    await page.getByText('Waiting for your first event').waitFor();
    assert.match(page.url(), /\/development\/start$/);
    await page.getByRole('button', { name: 'Create development key' }).click();
    const key = await page.getByTestId('new-key').innerText();
    assert.match(key, /^ow_dev_/);
    assert.equal(await page.getByLabel('Done').count(), 1);
    for (const way of ['curl', 'TypeScript', 'Godot', 'Unity']) {
      await page.getByRole('tab', { name: way }).click();
      const code = await page.getByRole('region', { name: `${way} code` }).innerText();
      assert.ok(code.includes(key) && code.includes(stage.server.url), way);
    }

    const sent = await stage.server.request('POST', '/v1/track', {
      key,
      body: { event_name: 'game_started', session_id: 's1', player_id: 'p1' },
    });
    assert.equal(sent.status, 202);
    await page.getByText('Your first event is here').waitFor();
    assert.equal(await page.getByLabel('Done').count(), 3);
    await page.getByRole('link', { name: 'To the overview' }).click();
    await page.getByRole('heading', { name: 'Sky Harbour' }).waitFor();
    await page.getByRole('region', { name: 'Newest events' }).getByText('game_started').waitFor();

    // The key is not shown again.
    await page.getByRole('link', { name: 'API Keys' }).click();
    await page.getByText('First key').waitFor();
    assert.ok(!(await page.content()).includes(key));
    await close();

    const late = await stage.visit(link);
    await late.page.getByRole('heading', { name: 'This link was used' }).waitFor();
    await late.page.getByRole('link', { name: 'Log in' }).click();
    await late.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await late.close();
  });

  test('loads less than 200 kB of JavaScript for the first page, under a strict content security policy', async () => {
    const game = await stage.server.makeGame();
    const { token } = await stage.server.makeAccount({ game_id: game.game_id });
    for (const [path, heading, as] of [
      ['/login', 'Log in', {}],
      [gamePath(game, 'overview'), 'Test game', { token }],
    ] as const) {
      const { page, close } = await stage.visit('/healthz', { ...as, isAlone: true });
      const scripts: Request[] = [];
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'script') scripts.push(request);
      });
      const answer = await page.goto(path);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const sizes = await Promise.all(scripts.map((script) => script.sizes()));
      const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
      assert.ok(bytes > 50_000 && bytes < FIRST_LOAD_LIMIT_BYTES, `${path}: ${bytes} bytes`);
      const policy = answer?.headers()['content-security-policy'] ?? '';
      assert.match(policy, /script-src 'self';/);
      await close();
    }
  });
});
