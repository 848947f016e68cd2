import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
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
    await send('POST', '/v1/players/owl/tags', { tag: 'vip' });
  });
  after(() => stage.close());

  test('the players: search, conditions and tags live in the address', async () => {
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
    assert.equal(download.suggestedFilename(), 'players.csv');
    await close();
  });

  test('a player: properties, tags, save history and achievements', async () => {
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
    await page.getByRole('button', { name: 'Remove country' }).click();
    await page.getByText('Removed country').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await table.getByText('US').waitFor();
    await page.getByRole('combobox', { name: 'Tags' }).fill('Beta');
    await page.keyboard.press('Enter');
    await until('all of it is stored', async () => {
      const { body } = await ask('GET', 'players/fox');
      return (
        body.properties.level === 42 && body.properties.country === 'US' && body.tags[0] === 'beta'
      );
    });

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
    await page.getByRole('button', { name: 'Revoke First Steps' }).waitFor();

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

  test('achievements: make, order by keyboard, edit, delete', async () => {
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

  test('leaderboards: settings, finding, removing, a new season', async () => {
    for (const [player_id, score] of [
      ['owl', 30],
      ['newt', 20],
      ['wren', 10],
    ]) {
      await send('POST', '/v1/leaderboards', { board_name: 'race/1', player_id, score });
    }
    const { page, close } = await stage.visit(gamePath(game, 'leaderboards'), {
      token: owner.token,
      expected: /400/,
    });
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
    await page.getByLabel('Highest score').fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await until('the lowest ranks first', async () =>
      /wren/.test(await table.getByRole('row').nth(1).innerText()),
    );
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

  test('events: live, and schemas with the validation mode', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'events'), {
      token: owner.token,
      expected: /400/,
    });
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    const event = { event_name: 'purchase', session_id: 's', player_id: 'owl' };
    await send('POST', '/v1/track', { ...event, properties: { price: 5 } });
    await page.getByRole('button', { name: 'purchase' }).click();
    await page.getByRole('region', { name: 'properties' }).getByText('"price": 5').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Schemas' }).click();
    await page.getByRole('button', { name: 'New schema' }).first().click();
    await page.getByLabel('Event name').fill('purchase');
    await page.getByLabel('JSON Schema of its properties').fill('{"pattern": "x"}');
    await page.getByRole('button', { name: 'Save schema' }).click();
    await page.getByText(/schema\.pattern/i).waitFor();
    await page.getByLabel('JSON Schema of its properties').fill('{"required": ["price"]}');
    await page.getByRole('button', { name: 'Save schema' }).click();
    await page.getByRole('button', { name: 'Edit purchase' }).waitFor();
    await page.getByText('Reject', { exact: true }).click();
    await page.getByText('Batches with an event that breaks').waitFor();
    await until('events are refused', async () => {
      const answer = await stage.server.request('POST', '/v1/track', { key, body: event });
      return answer.status === 400;
    });
    await close();
  });

  test('the remote config: a parameter with a rule, a preview, a roll-back', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'config'), { token: owner.token });
    await page.getByRole('button', { name: 'New parameter' }).first().click();
    await page.getByRole('textbox', { name: 'Key' }).fill('daily_reward');
    await page.getByLabel('Value').fill('100');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('combobox', { name: 'Has all tags' }).fill('vip');
    await page.keyboard.press('Enter');
    await page.getByLabel('They get').fill('250');
    await page.getByRole('button', { name: 'Save parameter' }).click();
    await page.getByText('1 rule').waitFor();
    assert.equal((await send('GET', '/v1/config?player_id=owl')).config.daily_reward, 250);
    await page.getByRole('tab', { name: 'Who gets what' }).click();
    await page.getByLabel('Player id').fill('owl');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('250').waitFor();
    await page.getByRole('tab', { name: 'Parameters' }).click();
    await page.getByRole('button', { name: 'Delete daily_reward' }).click();
    await page.getByRole('button', { name: 'Delete parameter' }).click();
    await page.getByText('No parameters yet').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Roll back to version 1' }).click();
    await page.getByRole('button', { name: 'Roll back', exact: true }).last().click();
    await page.getByText('back to 1').waitFor();
    assert.equal((await send('GET', '/v1/config')).config.daily_reward, 100);
    await close();
  });

  test('keys, members, settings and the audit log', async () => {
    const mine = await stage.server.makeGame();
    await stage.server.makeAccount({ game_id: mine.game_id });
    const { page, close } = await stage.visit(gamePath(mine, 'api-keys'), { token: owner.token });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Steam build');
    await page.getByRole('button', { name: 'Create key' }).click();
    const made = await page.getByTestId('new-key').innerText();
    assert.match(made, /^ow_live_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke Steam build' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Steam build');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText(/^revoked/).waitFor();
    assert.equal(
      (await stage.server.request('GET', '/v1/achievements', { key: made })).status,
      401,
    );

    await go(page, gamePath(mine, 'members'), 'Members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('noor@studio.example');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page
      .getByRole('button', { name: 'Withdraw invitation of noor@studio.example' })
      .waitFor();

    await go(page, gamePath(mine, 'settings'), 'Settings');
    await page.getByLabel('Name').fill('Moss & Marrow');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Game: Moss & Marrow. Switch game' }).waitFor();

    await go(page, gamePath(mine, 'audit-log'), 'Audit log');
    for (const change of ['Create api key', 'Revoke api key', 'Invite member', 'Update game']) {
      await page.getByRole('button', { name: change }).first().waitFor();
    }
    await close();
  });

  test('the administration: accounts and tiers', async () => {
    const { email } = await stage.server.makeAccount();
    const { page, close } = await stage.visit('/admin', { token: owner.token });
    await page.getByLabel('Search accounts').fill(email);
    await page.getByRole('button', { name: `Lock ${email}` }).click();
    await page.getByRole('button', { name: 'Lock account' }).click();
    await page.getByRole('button', { name: `Unlock ${email}` }).click();
    await page.getByRole('button', { name: `Lock ${email}` }).waitFor();
    await page.getByRole('tab', { name: 'Games' }).click();
    await page.getByLabel('Search games').fill(game.game_id);
    await until('the one game', async () => {
      const games = page.getByRole('region', { name: 'Games' }).getByRole('link');
      return page.url().includes('search=') && (await games.count()) === 1;
    });
    await page.getByRole('combobox', { name: 'Tier of Test game' }).click();
    await page.getByRole('option', { name: 'Studio' }).click();
    await page.getByText('of 10,000,000').waitFor();
    await close();
  });

  test('the app by keyboard alone', async () => {
    const { page, close } = await stage.visit('/login');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Test game' }).waitFor();
    await page.keyboard.press('Control+KeyK');
    await page.getByPlaceholder('Go to a page, a game or a player').waitFor();
    await page.keyboard.type('w');
    await page.getByRole('dialog').getByText('newt').waitFor();
    await page.keyboard.type('ren');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'wren', level: 1 }).waitFor();
    await page.keyboard.press('Control+KeyK');
    await page.getByPlaceholder('Go to a page, a game or a player').waitFor();
    await page.keyboard.type('leaderb');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Leaderboards', level: 1 }).waitFor();
    await page.keyboard.press('Control+KeyK');
    await page.getByPlaceholder('Go to a page, a game or a player').waitFor();
    await page.keyboard.type('develop');
    await page.keyboard.press('Enter');
    await until('the other environment', async () => page.url().includes('/development/'));
    await close();
  });
});
