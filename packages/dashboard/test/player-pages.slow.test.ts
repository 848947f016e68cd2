import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, go, undo, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the pages of players', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let send: GameStage['send'];
  let ask: GameStage['ask'];
  before(async () => {
    ({ stage, game, owner, send, ask } = await openGameStage());
    for (const [index, name] of ['fox', 'owl', 'newt', 'wren'].entries()) {
      const properties = { level: index * 10, country: index % 2 ? 'DE' : 'US' };
      await send('POST', '/v1/identify', { player_id: name, properties });
    }
    await send('POST', '/v1/identify', { player_id: 'newt', properties: { debt: -5 } });
    await send('POST', '/v1/identify', { player_id: 'wren', properties: { motto: '＝cmd()' } });
    await send('POST', '/v1/players/owl/tags', { tag: 'vip' });
  });
  after(() => stage.close());

  test('the list keeps its search, conditions and tags in the URL, and exports CSV', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'players'), { token: owner.token });
    const table = page.getByRole('region', { name: 'Players' });
    const names = async () => (await table.getByRole('link').allInnerTexts()).sort().join(' ');
    await until('all players', async () => (await names()) === 'fox newt owl wren');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('combobox', { name: 'Property' }).fill('level');
    await page.getByRole('option', { name: 'level' }).click();
    await page.getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: '≥' }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('10');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await until('level ≥ 10', async () => (await names()) === 'newt owl wren');
    await page.getByLabel('Search by name or id').fill('ow');
    await page.getByRole('combobox', { name: 'Tags' }).fill('VIP');
    await page.keyboard.press('Enter');
    await until('the vip', async () => (await names()) === 'owl');
    await until('all of it is in the address', async () =>
      /filter=.*&tag=vip&search=ow|filter=.*&search=ow&tag=vip/.test(page.url()),
    );
    await page.reload();
    await until('the same after a reload', async () => (await names()) === 'owl');
    await page.getByRole('button', { name: 'Remove level ≥ 10' }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await until('all again', async () => (await names()) === 'fox newt owl wren');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    assert.match(
      download.suggestedFilename(),
      /^Test-game-players-production-\d{4}-\d\d-\d\d\.csv$/,
    );
    const csv = await readFile(await download.path(), 'utf8');
    assert.ok(csv.startsWith('\uFEFFplayer_id,name,tags,'), 'Excel reads it as UTF-8');
    assert.match(csv, /^newt,,\[\],.*-5.*\r$/m);
    assert.match(csv, /^wren,,\[\],.*'＝cmd\(\).*\r$/m);
    await close();
  });

  test('on the page of a player, staff edit properties and tags, restore a save, and grant achievements', async () => {
    for (const gold of [1, 2]) {
      await send('PUT', '/v1/saves', { player_id: 'fox', data: { gold, bag: ['map'] } });
    }
    await ask('POST', 'achievements', { key: 'first', name: 'First Steps' });
    const path = gamePath(game, 'players/fox');
    const { page, close } = await stage.visit(path, { token: owner.token });
    const table = page.getByRole('region', { name: 'Properties' });
    await table.getByRole('button', { name: 'Edit level' }).click();
    await table.getByLabel('Value of level').fill('42');
    await page.keyboard.press('Enter');
    await table.getByText('42').waitFor();
    const steam_id = '76561198000000001234';
    await page.getByRole('button', { name: 'Add property' }).click();
    await table.getByLabel('Name of the property').fill('steam_id');
    await table.getByLabel('Value', { exact: true }).fill(steam_id);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove steam_id' }).click();
    await undo(page, 'Removed steam_id');
    await table.getByText(steam_id).waitFor();
    const filter = `[{"property":"steam_id","operator":"eq","value":${steam_id}}]`;
    await go(page, gamePath(game, `players?filter=${encodeURIComponent(filter)}`), 'Players');
    await page.getByRole('button', { name: `Remove steam_id = ${steam_id}` }).waitFor();
    await page.getByRole('region', { name: 'Players' }).getByText(steam_id).waitFor();
    await page.getByRole('link', { name: 'fox' }).click();
    await page.getByRole('button', { name: 'Remove country' }).click();
    await undo(page, 'Removed country');
    await table.getByText('US').waitFor();
    const tags = page.getByRole('combobox', { name: 'Tags' });
    for (const tag of ['Beta', 'vip', 'whale']) {
      await tags.fill(tag);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await undo(page, 'Removed vip');
    const stored = async () => JSON.stringify((await ask('GET', 'players/fox')).body.tags);
    await until('the tags are stored', async () => (await stored()) === '["beta","vip"]');
    const { properties } = (await ask('GET', 'players/fox')).body;
    assert.deepEqual([properties.level, properties.country], [42, 'US']);

    await page.getByRole('tab', { name: 'Cloud save' }).click();
    await page.getByText('Changed since version 1').waitFor();
    await page.getByText('gold', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Version 1/ }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: /^Version 3/ }).waitFor();
    assert.equal((await send('GET', '/v1/saves?player_id=fox')).data.gold, 1);
    await send('PUT', '/v1/saves', { player_id: 'fox', slot: 'hard mode', data: { gold: 7 } });
    await page.reload();
    await page.getByRole('combobox', { name: 'Slot' }).click();
    await page.getByRole('option', { name: 'hard mode' }).click();
    await page.getByRole('button', { name: /^Version 3/ }).waitFor({ state: 'hidden' });
    await page.reload(); // The URL keeps the slot.
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();

    await page.getByRole('tab', { name: 'Achievements' }).click();
    await page.getByRole('button', { name: 'Grant First Steps' }).click();
    // The page shows the grant before it is stored, but only a stored grant can be revoked.
    await page.getByText('Granted First Steps').waitFor();
    await page.getByRole('button', { name: 'Revoke First Steps' }).click();
    await page.getByRole('button', { name: 'Revoke achievement' }).click();
    await page.getByRole('button', { name: 'Grant First Steps' }).waitFor();

    for (const [player_id, score] of Object.entries({ fox: 5, hen: 9 })) {
      await send('POST', '/v1/leaderboards', { board_name: 'den', player_id, score });
    }
    await page.getByRole('tab', { name: 'Scores' }).click();
    const scores = page.getByRole('region', { name: 'Scores' });
    await scores.getByText('2 of 2').waitFor();
    await scores.getByRole('link', { name: 'den' }).click();
    await page.getByRole('heading', { name: 'den', level: 1 }).waitFor();
    await page.goBack();

    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete player' }).click();
    const button = page.getByRole('button', { name: 'Delete player permanently' });
    assert.ok(await button.isDisabled());
    await page.getByRole('dialog').getByRole('textbox').fill('fox');
    await button.click();
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    assert.equal((await ask('GET', 'players/fox')).status, 404);
    await close();
  });

  test('lists, titles and events show the names of players, from the property that the settings choose', async () => {
    await send('POST', '/v1/identify', { player_id: 'owl', properties: { nick: 'Minerva' } });
    await send('POST', '/v1/track', { event_name: 'hoot', session_id: 's', player_id: 'owl' });
    const { page, close } = await stage.visit(gamePath(game, 'settings'), { token: owner.token });
    const card = page.locator('section', { hasText: 'Player names' });
    await card
      .getByText(/^(All|Most|Some) of your newest players have nick, such as “Minerva”/)
      .waitFor();
    await card.getByRole('button', { name: 'Use nick' }).click();
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Players have names').waitFor();
    await go(page, gamePath(game, 'events'), 'Events');
    await page
      .getByRole('region', { name: 'Events' })
      .getByRole('link', { name: 'Minerva' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Minerva' }).waitFor();
    await page.getByText('owl', { exact: true }).first().waitFor();
    await go(page, gamePath(game, 'players'), 'Players');
    await page.getByLabel('Search by name or id').fill('nerv');
    const table = page.getByRole('region', { name: 'Players' });
    await until('one player', async () => (await table.getByRole('link').count()) === 1);
    await table.getByRole('row', { name: /Minerva.*owl/ }).waitFor();
    await close();
  });
});
