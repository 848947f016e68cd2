import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { RELEASE } from '../../server/src/platform/release.ts';
import { withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the calls on the page of administration', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  test('show callers, networks and SDK versions, with their games', async () => {
    const { stage, owner, game, send } = opened;
    for (let call = 0; call < 30; call++) await send('GET', '/v1/leaderboards/race');
    await stage.server.database.ofGame(game.game_id).execute(sql`
      INSERT INTO sdk_calls
      SELECT ${game.game_id}, 'production', (now() AT TIME ZONE 'UTC')::date - days, 'godot', '0.0.9', calls
      FROM (VALUES (0, 1200), (20, 34)) AS called (days, calls)`);
    const { page, close } = await stage.visit('/admin?tab=calls', { token: owner.token });
    const row = /Test game, production GET \/v1\/leaderboards\/\{board_name\} 30 0 0$/;
    await page
      .getByRole('region', { name: 'What calls' })
      .getByRole('row', { name: row })
      .waitFor();
    const networks = page.getByRole('region', { name: 'From where' });
    await networks.getByRole('row', { name: /^127\.0\.0\.1 .* 30 0 0$/ }).waitFor();
    const versions = page.getByRole('region', { name: 'SDK versions of all games' });
    const godot = versions.getByRole('row', {
      name: /^Godot 0\.0\.9 older than the server Test game 1,200/i,
    });
    await godot.waitFor();
    await page.getByText(`The server has release ${RELEASE}`).waitFor();
    await page.getByText('30 days', { exact: true }).click();
    await versions.getByRole('row', { name: /1,234/ }).waitFor();
    await versions.getByRole('link', { name: 'Test game' }).click();
    await page.waitForURL(/\/games\/[^/]+\/production/);
    await close();
  });

  test('say when nothing has called, and name callers that were deleted', async () => {
    const { stage, owner } = opened;
    const { page, close } = await stage.visit('/admin', { token: owner.token, isAlone: true });
    const nobody = { game_id: null, game_name: null, environment: null, name: null };
    const counts = { operation: null, call_count: 9, refused_count: 9, failed_count: 0 };
    let callers: object[] = [];
    await page.route('**/v1/admin/recent-calls', (route) =>
      route.fulfill({ json: { window_seconds: 12, call_count: 20, callers, networks: [] } }),
    );
    await page.route('**/v1/admin/sdk-versions?*', (route) =>
      route.fulfill({
        json: {
          server_version: '1.0.0',
          sdk_versions: [],
          other_call_count: 0,
          unnamed_call_count: 0,
        },
      }),
    );
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByText('No calls in the last five minutes').first().waitFor();
    await page.getByText('No SDK has called').waitFor();
    callers = [
      { caller: { kind: 'key', id: owner.account_id, ...nobody }, ...counts },
      { caller: { kind: 'nobody', id: null, ...nobody }, ...counts },
    ];
    await page.reload();
    await page
      .getByRole('row', { name: 'API key deleted Pages, files and unknown paths 9 9 0' })
      .waitFor();
    await page.getByRole('row', { name: /^No valid credentials Pages/ }).waitFor();
    const words = await page.getByText('20 calls in the last 12 s').innerText();
    assert.match(words, /the 2 that are not listed here are of smaller callers/);
    await close();
  });
});
