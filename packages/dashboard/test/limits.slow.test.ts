import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the limits in the dashboard', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let administrator: TestAccount;
  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    owner = await stage.server.makeAccount({ game_id: game.game_id });
    administrator = await stage.server.makeAccount({ is_administrator: true });
  });
  after(() => stage.close());

  test('a limit that an administrator sets is shown on the usage page, with advice', async () => {
    const { server } = stage;
    for (const player_id of ['a', 'b', 'c', 'd']) {
      const body = { player_id, properties: {} };
      await server.request('POST', '/v1/identify', { key: game.production_key, body });
    }
    const admin = await stage.visit(`/admin?tab=games&search=${game.game_id}`, {
      token: administrator.token,
    });
    await admin.page.getByRole('button', { name: 'Limits of Test game' }).click();
    const players = admin.page.getByLabel('Players', { exact: true });
    await admin.page.getByText('4 used').first().waitFor();
    await players.fill('5');
    await admin.page.getByRole('button', { name: 'Set limits' }).click();
    await admin.page.getByText('The limits of Test game are set').waitFor();
    const usage = await stage.visit(gamePath(game, 'usage'), { token: owner.token });
    const meter = usage.page.getByRole('meter', { name: 'Players used', exact: true });
    await meter.waitFor();
    assert.equal(await meter.getAttribute('aria-valuemax'), '5');
    await usage.page.getByText('80% used').waitFor();
    await admin.page.getByRole('button', { name: 'Limits of Test game' }).click();
    await players.fill('4');
    await admin.page.getByRole('button', { name: 'Set limits' }).click();
    await admin.page.getByText('The limits of Test game are set').last().waitFor();
    await until('the limit is reached', async () => {
      await usage.page.reload();
      await meter.waitFor();
      return (await usage.page.getByText('Limit reached').count()) === 1;
    });
    await usage.page.getByText('New players are refused').waitFor();
    await admin.page.getByRole('button', { name: 'Limits of Test game' }).click();
    await players.fill('');
    await admin.page.getByRole('button', { name: 'Set limits' }).click();
    await until('the limit is that of the tier', async () => {
      const path = `/v1/games/${game.game_id}/usage`;
      const { body } = await server.request('GET', path, { token: owner.token });
      return body.limits.players.limit === 100_000;
    });
    await admin.close();
    await usage.close();
  });

  test('an account at its limit of games sees this on the page that makes a game', async () => {
    const account = await stage.server.makeAccount();
    await stage.server.database.execute(sql`
      UPDATE accounts SET max_free_games = 0 WHERE id = ${account.account_id}`);
    const { page, close } = await stage.visit('/games/new', {
      token: account.token,
      expected: /403/,
    });
    await page.getByLabel('Name', { exact: true }).fill('One more');
    await page.getByRole('button', { name: 'Create game' }).click();
    await page.getByText('You have reached your limit of 0 games').waitFor();
    await close();
    const admin = await stage.visit(`/admin?tab=accounts&search=${account.email}`, {
      token: administrator.token,
    });
    await admin.page.getByRole('button', { name: `Limit of games of ${account.email}` }).click();
    await admin.page.getByLabel('Games on the Free tier').fill('1');
    await admin.page.getByRole('button', { name: 'Set limit' }).click();
    await admin.page.getByText(`The limit of ${account.email} is set`).waitFor();
    await admin.close();
  });
});
