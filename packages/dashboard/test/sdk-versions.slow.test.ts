import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the SDK versions on the usage page', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    owner = await stage.server.makeAccount({ game_id: game.game_id });
  });
  after(() => stage.close());

  test('the table marks versions that are older than the server, and counts 7 or 30 days', async () => {
    await stage.server.database.ofGame(game.game_id).execute(sql`
      INSERT INTO sdk_calls
      SELECT ${game.game_id}, 'production', (now() AT TIME ZONE 'UTC')::date - days, sdk, version, calls
      FROM (VALUES (0, 'godot', '0.0.9', 1200), (3, 'unity', '99.0.0', 34), (20, 'unity', '99.0.0', 6),
                   (1, '', '', 5), (1, 'other', '', 2)) AS called (days, sdk, version, calls)`);
    const { page } = await stage.visit(gamePath(game, 'usage'), { token: owner.token });
    const old = page.getByRole('row', { name: /^Godot 0\.0\.9 older than the server 1,200/i });
    await old.waitFor();
    await page.getByRole('row', { name: /^Unity 99\.0\.0 34/ }).waitFor();
    await page.getByText('5 calls named no SDK').waitFor();
    await page.getByText('2 calls named further versions').waitFor();
    await page.getByText('30 days', { exact: true }).click();
    await page.getByRole('row', { name: /^Unity 99\.0\.0 40/ }).waitFor();
    assert.equal(await page.getByText('older than the server').count(), 1);
  });
});
