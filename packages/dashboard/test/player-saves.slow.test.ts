import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the saves of a player', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let send: GameStage['send'];
  let ask: GameStage['ask'];
  before(async () => {
    ({ stage, game, owner, send, ask } = await openGameStage());
    const body = { player_name_property: 'nick' };
    await stage.server.request('PATCH', `/v1/games/${game.game_id}`, { token: owner.token, body });
  });
  after(() => stage.close());

  /** Makes a player with a good save of yesterday and a worse save of today. */
  async function makeVictim(player_id: string, nick: string) {
    await send('POST', '/v1/identify', { player_id, properties: { nick } });
    await send('PUT', '/v1/saves', { player_id, data: { gold: 900 } });
    await stage.server.database.execute(sql`
      UPDATE save_versions SET saved_at = now() - interval '24 hours' WHERE player_id = ${player_id}`);
    await send('PUT', '/v1/saves', { player_id, data: { gold: 0 } });
    await until('the name is found', async () => {
      const { body } = await ask('GET', `players?search=${nick.slice(1, -1)}`);
      return body.players.length === 1;
    });
  }
  const goldOf = async (player_id: string) =>
    (await send('GET', `/v1/saves?player_id=${player_id}`)).data.gold;

  test('a player is found by a part of the name, and yesterday’s save is restored by mouse', async () => {
    await makeVictim('p-1', 'Minerva');
    const path = gamePath(game, 'players');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByLabel('Search by name or id').fill('nerv');
    await page.waitForURL(/search=nerv/);
    await page.getByRole('link', { name: 'Minerva' }).click();
    await page.getByRole('tab', { name: 'Cloud save' }).click();
    await page.getByRole('button', { name: /^Version 1.*yesterday/s }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: /^Version 3.*current/s }).waitFor();
    assert.equal(await goldOf('p-1'), 900);
    await close();
  });

  test('an edit shows its mistakes and changes, and is stored as a new version', async () => {
    const id = '76561198000000001234';
    await stage.server.request('PUT', '/v1/saves', {
      key: game.production_key,
      body: `{"player_id":"p-4","data":{"steam":${id},"gold":1.0}}`,
    });
    const path = gamePath(game, 'players/p-4?tab=save');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByLabel('Data of version 1');
    assert.equal(await field.inputValue(), `{\n  "steam": ${id},\n  "gold": 1.0\n}`);
    const review = page.getByRole('button', { name: 'Review the changes' });
    assert.ok(await review.isDisabled(), 'nothing is changed yet');
    await field.fill(`{\n  "steam": ${id},\n  "gold": 500,\n}`);
    await page.getByText('Line 4, column 1: Expected a name in double quotes').waitFor();
    assert.ok(await review.isDisabled());
    await page.getByRole('button', { name: 'Go to line 4' }).click();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await review.click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /gold\s*1 → 500/ })
      .waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 1);
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('button', { name: /^Version 2.*current/s }).waitFor();
    const stored = await stage.server.request('GET', '/v1/saves?player_id=p-4', {
      key: game.production_key,
    });
    assert.ok(
      stored.text.startsWith(`{"data":{"steam":${id},"gold":500},"version":2,`),
      stored.text,
    );
    await close();
  });

  test('a viewer may compare, but neither edit nor restore', async () => {
    for (const gold of [1, 2]) await send('PUT', '/v1/saves', { player_id: 'p-6', data: { gold } });
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const { page, close } = await stage.visit(gamePath(game, 'players/p-6?tab=save'), { token });
    await page.getByText('Changed since version 1').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
    await page.getByRole('button', { name: /^Version 1/ }).click();
    await page.getByText('Changed since version 2').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Restore' }).count(), 0);
    await close();
  });

  test('yesterday’s save is restored by keyboard only', async () => {
    await makeVictim('p-2', 'Octavius');
    const path = gamePath(game, 'overview');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('textbox', { name: 'Search pages, players' }).waitFor();
    await page.keyboard.type('tavi');
    await page.getByRole('dialog').getByText('Octavius').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Octavius', level: 1 }).waitFor();
    await tabTo(page, 'Overview', 'tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: /^Version 1/ }).waitFor();
    await tabTo(page, 'Version 1', 'button');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
    await tabTo(page, 'Restore', 'button');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).waitFor();
    await tabTo(page, 'Restore', 'button', '[role=dialog]');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Version 3.*current/s }).waitFor();
    assert.equal(await goldOf('p-2'), 900);
    await close();
  });

  test('any two versions can be compared, and the URL names them', async () => {
    for (const gold of [1, 2, 3]) {
      await send('PUT', '/v1/saves', { player_id: 'p-3', data: { gold, bag: ['map', gold] } });
    }
    const path = gamePath(game, 'players/p-3?tab=save');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByText('Changed since version 2').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: /^Version 1/ }).click();
    const changes = page.getByRole('list', { name: 'Changes' });
    const lines = async () => (await changes.getByRole('listitem').allInnerTexts()).join(' ');
    await until('since version 1', async () => /gold\s*1 → 3/.test(await lines()));
    assert.match(await lines(), /bag\[1\]\s*1 → 3/);
    await page.getByRole('button', { name: /^Version 2/ }).click();
    await page.getByText('Changed since version 1').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: /^Version 3/ }).click();
    await page.reload();
    await page.getByText('Changed since version 3').waitFor();
    await until('backwards', async () => /gold\s*3 → 2/.test(await lines()));
    await close();
  });

  test('if the game saves during an edit, the page shows that save, and replaces it only on purpose', async () => {
    await send('PUT', '/v1/saves', { player_id: 'p-5', data: { gold: 1, level: 1 } });
    const path = gamePath(game, 'players/p-5?tab=save');
    const expected = /409/;
    const { page, close } = await stage.visit(path, { token: owner.token, expected });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Data of version 1').fill('{"gold":500,"level":1}');
    await send('PUT', '/v1/saves', { player_id: 'p-5', data: { gold: 1, level: 2 } });
    await page.getByRole('button', { name: 'Review the changes' }).click();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The game has saved version 2 meanwhile').waitFor();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /level\s*1 → 2/ })
      .waitFor();
    assert.equal(await goldOf('p-5'), 1);
    await dialog.getByRole('button', { name: 'Compare my text with version 2' }).click();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /level\s*2 → 1/ })
      .waitFor();
    await dialog.getByRole('button', { name: 'Back to the text' }).click();
    await page.getByLabel('Data of version 2').fill('{"gold":500,"level":2}');
    await page.getByRole('button', { name: 'Review the changes' }).click();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('button', { name: /^Version 3.*current/s }).waitFor();
    const { data } = await send('GET', '/v1/saves?player_id=p-5');
    assert.deepEqual(data, { gold: 500, level: 2 });
    await close();
  });
});

/** Presses Tab until the focus is on a control of this role whose text begins with the given words. */
async function tabTo(page: Page, text: string, role: string, within = 'body'): Promise<void> {
  const controls = within === 'body' ? page : page.locator(within);
  const wanted = controls.getByRole(role as 'button', { name: new RegExp(`^${text}`) }).first();
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  assert.fail(`Tab never comes to ${text}`);
}
