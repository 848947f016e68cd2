import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { gamePath, go, openStage, undo, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('a journey through', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let key: string;
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await stage.server.request(method, path, { key, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const full = `/v1/games/${game.game_id}/${path}`;
    return stage.server.request(method, full, { token: owner.token, body });
  };

  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    key = game.production_key;
    owner = await stage.server.makeAccount({ game_id: game.game_id, is_administrator: true });
    for (const [index, name] of ['fox', 'owl', 'newt', 'wren'].entries()) {
      const properties = { level: index * 10, country: index % 2 ? 'DE' : 'US' };
      await send('POST', '/v1/identify', { player_id: name, properties });
    }
    await send('POST', '/v1/identify', { player_id: 'newt', properties: { debt: -5 } });
    await send('POST', '/v1/identify', { player_id: 'wren', properties: { motto: '＝cmd()' } });
    await send('POST', '/v1/players/owl/tags', { tag: 'vip' });
  });
  after(() => stage.close());

  test('the players keeps search, conditions and tags in the address', async () => {
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
    await page.getByLabel('Search by player id').fill('w');
    await page.getByRole('combobox', { name: 'Tags' }).fill('VIP');
    await page.keyboard.press('Enter');
    await until('the vip', async () => (await names()) === 'owl');
    await until('all of it is in the address', async () =>
      /filter=.*&tag=vip&search=w|filter=.*&search=w&tag=vip/.test(page.url()),
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
    assert.ok(csv.startsWith('\uFEFFplayer_id,tags,'), 'Excel reads it as UTF-8');
    assert.match(csv, /^newt,\[\],.*-5.*\r$/m);
    assert.match(csv, /^wren,\[\],.*'＝cmd\(\).*\r$/m);
    await close();
  });

  test('a player edits properties and tags, restores a save, and grants achievements', async () => {
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

    await page.getByRole('tab', { name: 'Achievements' }).click();
    await page.getByRole('button', { name: 'Grant First Steps' }).click();
    // The page shows the grant at once, but only a stored one can be revoked.
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

    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete player' }).click();
    const button = page.getByRole('button', { name: 'Delete player permanently' });
    assert.ok(await button.isDisabled());
    await page.getByRole('dialog').getByRole('textbox').fill('fox');
    await button.click();
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    assert.equal((await ask('GET', 'players/fox')).status, 404);
    await close();
  });

  test('deleting the last game leads to the page that makes a game', async () => {
    const last = await stage.server.makeGame();
    const { token } = await stage.server.makeAccount({ game_id: last.game_id });
    const { page, close } = await stage.visit(gamePath(last, 'settings'), { token });
    await page.getByRole('button', { name: 'Delete game' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Test game');
    await page.getByRole('button', { name: 'Delete game permanently' }).click();
    await page.getByRole('heading', { name: 'Your first game' }).waitFor();
    await close();
  });

  test('achievements makes, orders by keyboard, edits and deletes them', async () => {
    const other = await stage.server.makeGame();
    const { page, close } = await stage.visit(gamePath(other, 'achievements'), {
      token: owner.token,
      expected: /400|409/,
    });
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New achievement' }).first().click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Create achievement' }).click();
    };
    await create('First Blood');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await create('Night Owl');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await create('First Blood');
    await page.getByText('An achievement with this key exists already').waitFor();
    await page.getByRole('textbox', { name: 'Key' }).fill('');
    await page.getByRole('button', { name: 'Create achievement' }).click();
    await page.getByText(/^Key /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Move Night Owl' }).press('ArrowUp');
    const keys = async () => {
      const { body } = await stage.server.request(
        'GET',
        `/v1/games/${other.game_id}/achievements`,
        { token: owner.token },
      );
      return body.achievements.map((each: { key: string }) => each.key).join(' ');
    };
    await until('the order is stored', async () => (await keys()) === 'night_owl first_blood');
    await undo(page, 'Moved Night Owl');
    await until('the order is back', async () => (await keys()) === 'first_blood night_owl');
    await page.getByRole('button', { name: 'Actions for Night Owl' }).click();
    await page.getByRole('menuitem', { name: 'Hide until unlocked' }).click();
    await page.getByText('hidden', { exact: true }).waitFor();
    await undo(page, 'Night Owl is ');
    await page.getByText('hidden', { exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Actions for Night Owl' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Points').fill('75');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 achievements, 85 points').waitFor();
    await page.getByRole('button', { name: 'Actions for First Blood' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete achievement' }).click();
    await page.getByText('1 achievement, 75 points').waitFor();
    await close();
  });

  test('leaderboards sets one up, finds and removes entries, and begins a season', async () => {
    for (const [player_id, score] of [
      ['owl', 30],
      ['newt', 20],
      ['wren', 10],
    ]) {
      await send('POST', '/v1/leaderboards', { board_name: 'race/1', player_id, score });
    }
    const { page, close } = await stage.visit(gamePath(game, 'leaderboards'), {
      token: owner.token,
      expected: /400|409/,
    });
    await page.getByRole('link', { name: 'race/1' }).waitFor();
    await page.getByRole('button', { name: 'New leaderboard' }).click();
    await page.getByLabel('Name').fill('race/1');
    await page.getByRole('button', { name: 'Create leaderboard' }).click();
    await page.getByText('Board name is taken').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'race/1' }).click();
    const table = page.getByRole('region', { name: 'Entries' });
    await table.getByRole('link', { name: 'owl' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('Lowest first').click();
    await page.getByLabel('Lowest score').fill('50');
    await page.getByLabel('Highest score').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('dialog')
      .getByText(/score must/i)
      .waitFor();
    await page.getByLabel('Lowest score').fill('');
    await page.getByLabel('Highest score').fill('500.0');
    await page.keyboard.press('Enter');
    await until('the lowest ranks first', async () =>
      /wren/.test(await table.getByRole('row').nth(1).innerText()),
    );
    assert.equal((await ask('GET', 'leaderboards/race%2F1')).body.max_score, 500);
    await page.getByLabel('Find a player').fill('newt');
    await table.getByRole('link', { name: 'wren' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove newt' }).click();
    await page.getByRole('button', { name: 'Remove entry' }).click();
    await page.getByText('Nobody by that name').waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Begin a new season' }).click();
    await page.getByRole('button', { name: 'Begin new season' }).click();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByText('No scores yet').waitFor();
    await page.getByRole('combobox', { name: 'Season' }).click();
    await page.getByRole('option', { name: 'Season 1' }).click();
    await table.getByRole('link', { name: 'owl' }).waitFor();
    await close();
  });

  test('the overview and the counts of events shows the same numbers', async () => {
    const mine = await stage.server.makeGame();
    const track = (event_name: string, player_id: string) =>
      stage.server.request('POST', '/v1/track', {
        key: mine.production_key,
        body: { event_name, player_id, session_id: player_id },
      });
    for (const player of ['fox', 'owl']) await track('level_start', player);
    await track('purchase', 'owl');
    const { page, close } = await stage.visit(gamePath(mine, 'overview'), { token: owner.token });
    await page.getByRole('button', { name: /^Players today 2/ }).waitFor();
    await page.getByRole('button', { name: /^Events today 3/ }).click();
    const chart = page.getByRole('group', { name: /^Events of each/ });
    await chart.press('ArrowRight');
    await chart.getByRole('status').getByText('3', { exact: true }).waitFor();
    assert.match(page.url(), /figure=events/);

    await go(page, gamePath(mine, 'events?tab=counts'), 'Events');
    await page.getByRole('heading', { name: '3 events' }).waitFor();
    const byName = page.getByRole('region', { name: 'Events by name' });
    const first = () => byName.getByRole('row').nth(1).innerText();
    await byName.getByRole('button', { name: 'Events', exact: true }).click();
    await until('the most frequent first', async () => /level_start/.test(await first()));
    await byName.getByRole('button', { name: 'Events', exact: true }).click();
    await until('the rarest first', async () => /purchase/.test(await first()));
    await page.getByTitle('Account').click();
    await page.getByText('Compact', { exact: true }).click();
    await byName.locator('table[data-density=compact]').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'purchase' }).click();
    await page.getByRole('heading', { name: '1 × purchase' }).waitFor();
    await page.getByRole('link', { name: 'Newest purchase' }).click();
    await page.getByRole('link', { name: 'owl' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'level_start' }).count(), 0);
    await close();
  });

  test('the app works by keyboard alone', async () => {
    const { page, close } = await stage.visit('/login');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Test game' }).waitFor();
    // On a slow machine, timers fire after the keys.
    await page.evaluate(`{
      const wait = setTimeout;
      window.setTimeout = (run, ms = 0, ...values) => wait(run, ms + 300, ...values);
    }`);
    const command = async (words: string) => {
      await page.keyboard.press('Control+KeyK');
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
    };
    await command('wren');
    await page.getByRole('heading', { name: 'wren', level: 1 }).waitFor();
    await command('leaderb');
    await page.getByRole('heading', { name: 'Leaderboards', level: 1 }).waitFor();
    await command('develop');
    await until('the other environment', async () => page.url().includes('/development/'));
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Remote Config').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await until('g and m lead to the members', async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('m');
      return (await page.getByRole('heading', { name: 'Members', level: 1 }).count()) === 1;
    });
    await close();
  });
});
