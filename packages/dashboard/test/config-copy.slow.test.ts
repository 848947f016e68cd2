import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

const DEVELOPMENT = { reward: { value: 150 }, shop: { value: { open: true } } };
const PRODUCTION = { reward: { value: 100 }, old: { value: 1 } };

describe('a copy of the config to the other environment', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  /** Makes a game whose environments have these parameters. */
  const makeGame = async (development: object, production: object | null = PRODUCTION) => {
    const game = await stage.server.makeGame();
    const { game_id } = game;
    const { token } = await stage.server.makeAccount({ game_id, role: 'developer' });
    const ask = async (method: string, path: string, body?: object) => {
      const at = `/v1/games/${game_id}/${path}`;
      return (await stage.server.request(method, at, { token, body })).body;
    };
    const put = (environment: string, parameters: object) =>
      ask('PUT', `config?environment=${environment}`, { parameters });
    await put('development', development);
    if (production !== null) await put('production', production);
    return {
      game_id,
      /** The sentences about what the plan would do now. */
      readEffects: async () => {
        const copy = { from: 'development', to: 'production', kinds: ['remote_config'] };
        const { effects } = await ask('POST', 'definitions/copy/plan', copy);
        return effects.map(({ words }: { words: string }) => `* ${words}`) as string[];
      },
      identify: (player_id: string) =>
        stage.server.request('POST', '/v1/identify', {
          key: game.production_key,
          body: { player_id, properties: {} },
        }),
      put,
      read: async (environment: string) => {
        const { version, parameters } = await ask('GET', `config?environment=${environment}`);
        return [version, parameters];
      },
      visit: (options: object = {}) =>
        stage.visit(gamePath(game, 'config', 'development'), { token, ...options }),
    };
  };

  const OPEN = 'Copy to production…';
  const CHANGES = [
    '~ remote_config "production"',
    'parameters.reward.value: 100 → 150',
    'parameters.old: {"value":1} → (none)',
    'parameters.shop: {"value":{"open":true}}',
    '0 to make, 1 to change, 0 to delete.',
  ];

  const requireWords = async (page: Page, words: readonly string[]) => {
    const plan = page.getByRole('dialog').getByRole('group', { name: 'Plan' });
    for (const text of words) await plan.getByText(text, { exact: true }).waitFor();
  };

  /** Presses Tab until a control of this name has the focus, and then Enter. */
  const pressByKeys = async (page: Page, name: string) => {
    // The frame of a dialog has a button with the name Close too, above its content.
    const control = page.getByRole('button', { name, exact: true }).last();
    await control.waitFor();
    for (let presses = 0; presses < 60; presses++) {
      if ((await control.and(page.locator(':focus')).count()) > 0) {
        return page.keyboard.press('Enter');
      }
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not lead to ${name}`);
  };

  test('shows the plan in the words of the command line, makes it, and leads back by mouse', async () => {
    const game = await makeGame(DEVELOPMENT);
    await game.identify('owl');
    await game.identify('cat');
    const effects = await game.readEffects();
    assert.match(effects[0]!, /^\* 2 of 2 players seen in production in the last 7 days get/);
    const { page, close } = await game.visit();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: OPEN }).click();
    await requireWords(page, [...CHANGES, ...effects]);
    assert.deepEqual(await game.read('production'), [1, PRODUCTION]);
    await dialog.getByRole('button', { name: 'Copy to production' }).click();
    await dialog.getByText('Production has the config of development now').waitFor();
    await dialog.getByText('~ remote_config "production": version 2, after version 1').waitFor();
    assert.deepEqual(await game.read('production'), [2, DEVELOPMENT]);

    await dialog.getByRole('button', { name: 'Go back to version 1' }).click();
    await dialog.getByText('Version 3 is that of version 1.').waitFor();
    assert.deepEqual(await game.read('production'), [3, PRODUCTION]);
    await dialog.getByRole('link', { name: 'Show production' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page
      .getByText('Values your game reads while it runs. These are for production')
      .waitFor();
    assert.match(page.url(), /\/production\/config$/);
    await close();
  });

  test('is made and taken back by the keyboard, and then differs in nothing', async () => {
    const game = await makeGame(DEVELOPMENT, null);
    const { page, close } = await game.visit();
    const dialog = page.getByRole('dialog');
    await pressByKeys(page, OPEN);
    await requireWords(page, ['parameters.reward: {"value":150}']);
    await pressByKeys(page, 'Copy to production');
    await dialog.getByText('Production has the config of development now').waitFor();
    await pressByKeys(page, 'Go back to no parameters');
    await dialog.getByText('Version 2 is that of no parameters.').waitFor();
    assert.deepEqual(await game.read('production'), [2, {}]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await game.put('production', DEVELOPMENT);
    await pressByKeys(page, OPEN);
    await dialog.getByText('Production has the config of development already.').waitFor();
    await pressByKeys(page, 'Close');
    await dialog.waitFor({ state: 'hidden' });
    await close();
  });

  test('is refused when somebody has changed either config meanwhile, and shows the new plan', async () => {
    const game = await makeGame(DEVELOPMENT);
    const { page, close } = await game.visit({ expected: /409/ });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: OPEN }).click();
    await requireWords(page, CHANGES);
    await game.put('production', { reward: { value: 120 } });
    await dialog.getByRole('button', { name: 'Copy to production' }).click();
    await dialog.getByText('Somebody has changed the game since this plan was made').waitFor();
    assert.deepEqual(await game.read('production'), [2, { reward: { value: 120 } }]);

    // The button has the focus already.
    const show = dialog.getByRole('button', { name: 'Show the new plan' });
    await show.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await requireWords(page, ['parameters.reward.value: 120 → 150']);
    await game.put('development', { reward: { value: 7 } });
    await pressByKeys(page, 'Copy to production');
    await dialog.getByRole('button', { name: 'Show the new plan' }).click();
    await requireWords(page, ['parameters.reward.value: 120 → 7']);
    await pressByKeys(page, 'Copy to production');
    await dialog.getByText('Production has the config of development now').waitFor();
    assert.deepEqual(await game.read('production'), [3, { reward: { value: 7 } }]);

    // The way back does not overwrite a later change either.
    await game.put('production', { reward: { value: 8 } });
    await dialog.getByRole('button', { name: 'Go back to version 2' }).click();
    await dialog.getByText('Somebody has changed production since').waitFor();
    assert.deepEqual(await game.read('production'), [4, { reward: { value: 8 } }]);
    await close();
  });

  test('a viewer is offered no copy, and production offers one to development', async () => {
    const game = await makeGame(DEVELOPMENT);
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const seen = await game.visit({ token });
    await seen.page.getByText('reward', { exact: true }).waitFor();
    assert.equal(await seen.page.getByRole('button', { name: OPEN }).count(), 0);
    await seen.close();
    const { page, close } = await game.visit();
    await page.getByRole('link', { name: 'Production' }).click();
    await page.getByRole('button', { name: 'Copy to development…' }).click();
    await requireWords(page, ['parameters.reward.value: 150 → 100']);
    await close();
  });

  test('fits on a phone, without an accessibility violation in either theme', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`parameter_${index}`, { value: 'x'.repeat(90) }]),
    );
    const game = await makeGame({ ...DEVELOPMENT, ...long });
    const { page, close } = await game.visit({ width: 390 });
    await page.getByRole('button', { name: OPEN }).click();
    await requireWords(page, ['0 to make, 1 to change, 0 to delete.']);
    await loadAxe(page);
    const look = async () => {
      for (const theme of ['light', 'dark'] as const) {
        await setTheme(page, theme);
        for (const rules of [undefined, ['color-contrast']]) {
          const found = await findViolations(page, '[role=dialog]', rules, ['region']);
          assert.deepEqual(
            found.map(({ id }) => id),
            [],
          );
        }
      }
      const sizes = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
      const [content = 0, window = 0] = sizes as number[];
      assert.ok(content <= window, `${content} > ${window}`);
    };
    await look();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy to production' }).click();
    await page.getByText('Production has the config of development now').waitFor();
    await look();
    await close();
  });
});
