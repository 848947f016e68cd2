import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, go, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('an owner manages a game', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let send: GameStage['send'];
  before(async () => {
    ({ stage, game, owner, send } = await openGameStage());
    await send('POST', '/v1/players/owl/tags', { tag: 'vip' });
  });
  after(() => stage.close());

  test('the page of events shows live events, and sets schemas and the validation mode', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'events'), {
      token: owner.token,
      expected: /400|409/,
    });
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    const event = { event_name: 'purchase', session_id: 's', player_id: 'owl' };
    await send('POST', '/v1/track', { ...event, properties: { price: 5 } });
    await page.getByRole('button', { name: 'purchase' }).click();
    await page.getByRole('region', { name: 'properties' }).getByText('"price": 5').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Event schemas', exact: true }).click();
    await page.locator('[aria-current=page]', { hasText: 'Event schemas' }).waitFor();
    await page.getByRole('button', { name: 'New schema' }).first().click();
    await page.getByLabel('Event name').fill('purchase');
    await page.getByLabel('JSON Schema of its properties').fill('{"pattern": "x"}');
    await page.getByRole('button', { name: 'Save schema' }).click();
    await page.getByText('JSON Schema of its properties: pattern is not supported').waitFor();
    await page.getByLabel('JSON Schema of its properties').fill('{"required": ["coins"]}');
    await page.getByRole('button', { name: 'Test on recent events' }).click();
    await page.getByText('1 of 1 purchase events received in production').waitFor();
    await page.getByText('properties.coins is required').waitFor();
    await page.getByLabel('JSON Schema of its properties').fill('{"required": ["price"]}');
    await page.getByText('properties.coins is required').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test on recent events' }).click();
    await page.getByText('0 of 1 purchase events received in production').waitFor();
    await page.getByRole('button', { name: 'Save schema' }).click();
    await page.getByRole('button', { name: 'Edit purchase' }).waitFor();
    await page.getByRole('button', { name: 'New schema' }).first().click();
    await page.getByLabel('Event name').fill('purchase');
    await page.getByRole('button', { name: 'Save schema' }).click();
    await page.getByText('Event name has a schema already').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Reject', { exact: true }).click();
    const refuse = page.getByRole('button', { name: 'Refuse such events' });
    assert.ok(await refuse.isDisabled(), 'nobody has agreed yet');
    await page.getByLabel(/^Production: none of the 1 event with a schema/).check();
    await refuse.click();
    await page.getByText('Batches with an event that breaks').waitFor();
    const statusWith = async (key: string) =>
      (await stage.server.request('POST', '/v1/track', { key, body: event })).status;
    await until('events are refused', async () => (await statusWith(game.production_key)) === 400);
    assert.equal(await statusWith(game.development_key), 202);
    await close();
  });

  test('a parameter of the remote config can get a rule, be previewed and be rolled back', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'config'), { token: owner.token });
    await page.getByRole('button', { name: 'New parameter' }).first().click();
    await page.getByRole('textbox', { name: 'Key' }).fill('daily_reward');
    await page.getByLabel('Value').fill('100');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('combobox', { name: 'Has all tags' }).fill('vip');
    await page.keyboard.press('Enter');
    await page.getByLabel('They get').fill('250');
    await page.getByRole('button', { name: 'Who would get what?' }).click();
    await page.getByText('1. has tag vip get 250').waitFor();
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('button', { name: 'Review change' }).click();
    await page.getByLabel('Rules of daily_reward').getByText('+has tag vip → 250').waitFor();
    await page.getByRole('button', { name: 'Publish to production' }).click();
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
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByLabel('Value of daily_reward').getByText('+100').waitFor();
    await page.getByRole('button', { name: 'Restore version', exact: true }).click();
    await page.getByText('back to 1').waitFor();
    assert.equal((await send('GET', '/v1/config')).config.daily_reward, 100);
    await close();
  });

  test('the remote config keeps all digits of numbers, and does not overwrite changes by others', async () => {
    const { game_id } = await stage.server.makeGame();
    const path = `/v1/games/${game_id}/config`;
    const steam_id = '76561198000000001234';
    const { token } = owner;
    const put = async (gold: string, extra = '') => {
      const body = `{"parameters":{"gold":${gold},"studio":{"value":${steam_id}}${extra}}}`;
      assert.equal((await stage.server.request('PUT', path, { token, body })).status, 200);
    };
    const stored = async () => {
      const { text } = await stage.server.request('GET', path, { token });
      return text.slice(text.indexOf('"parameters"'));
    };
    const properties = `[{"property":"steam_id","operator":"eq","value":${steam_id}}]`;
    await put(`{"value":1,"rules":[{"properties":${properties},"value":null}]}`);
    const { page, close } = await stage.visit(`/games/${game_id}/production/config`, {
      token,
      width: 390,
      expected: /409/,
    });
    const dialog = page.getByRole('dialog');
    const conflict = dialog.getByText('Somebody changed the config meanwhile');
    await page.getByText(steam_id).waitFor();
    await page.getByRole('button', { name: 'Edit gold' }).click();
    // The open dialog keeps the version on which its change is based.
    await dialog.getByLabel('Value').waitFor();
    await put('{"value":5}');
    // The page behind the dialog loads the config again, as when the reader comes back to the window
    // after a while.
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/config?')),
      page.evaluate(`{
        const now = Date.now;
        Date.now = () => now() + 60_000;
        dispatchEvent(new Event('visibilitychange'));
      }`),
    ]);
    await dialog.getByLabel('Value').fill('2');
    const review = dialog.getByRole('button', { name: 'Review change' });
    const publish = dialog.getByRole('button', { name: 'Publish to production' });
    await review.click();
    await publish.click();
    await conflict.waitFor();
    const meanwhile = dialog.getByRole('alert', { name: /Changed meanwhile: version 2/ });
    await meanwhile.getByLabel('Value of gold').getByText('+5').waitFor();
    await until('the words are on the screen', async () => (await conflict.boundingBox())!.y > 0);
    await dialog.getByRole('button', { name: 'Back' }).click();
    assert.equal(await dialog.getByRole('textbox', { name: 'Value' }).inputValue(), '2');
    await dialog.getByLabel('Percent of players').fill('12.50');
    await page.keyboard.press('Enter');
    await publish.click();
    await dialog.waitFor({ state: 'hidden' });
    const rules = `[{"value":null,"properties":${properties},"percentage":12.5}]`;
    assert.equal(
      await stored(),
      `"parameters":{"gold":{"value":2,"rules":${rules}},"studio":{"value":${steam_id}}}}`,
    );

    await page.getByRole('button', { name: 'Delete studio' }).click();
    await dialog.waitFor();
    await put('{"value":6}', `,"guild":{"value":-${steam_id}}`);
    await page.getByRole('button', { name: 'Delete parameter' }).click();
    await conflict.waitFor();
    await page.getByRole('button', { name: 'Delete parameter' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const left = `"parameters":{"gold":{"value":6},"guild":{"value":-${steam_id}}}}`;
    assert.equal(await stored(), left);
    await close();
  });

  test('changes of keys, members and settings are shown in the audit log', async () => {
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
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page
      .getByRole('button', { name: 'Withdraw invitation of noor@studio.example' })
      .waitFor();

    await go(page, gamePath(mine, 'settings'), 'Settings');
    await page.getByLabel('Name').fill('Moss & Marrow');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Game: Moss & Marrow. Switch game' }).waitFor();

    await go(page, gamePath(mine, 'audit-log'), 'Audit log');
    for (const change of [
      'Created an API key',
      'Revoked an API key',
      'Invited a member',
      'Changed settings of the game',
    ]) {
      await page.getByRole('button', { name: change }).first().waitFor();
    }
    await close();
  });

  test('the page of the administration warns that strangers can make accounts, and says how to prevent it', async () => {
    await using open = await startTestServer({
      database_url: stage.server.database_url,
      env: { PUBLIC_URL: 'http://games.example' },
    });
    const { page, close } = await stage.visit('/favicon.svg', { expected: /404|asked/ });
    await page.goto(`${open.url}/favicon.svg`);
    await page.evaluate(`localStorage.setItem('overworld.token', ${JSON.stringify(owner.token)})`);
    await page.goto(`${open.url}/admin`);
    await page.getByText('start it with REGISTRATION=closed').waitFor();
    await close();
  });

  test('administrators can lock and unlock accounts, find games, and set the tier of a game', async () => {
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
});
