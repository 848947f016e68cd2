import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';

const PLAYERS = 400;

describe('long lists', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  before(async () => {
    ({ stage, game, owner } = await openGameStage());
    await stage.server.database.execute(sql`
      INSERT INTO players (game_id, environment, player_id, last_seen_at)
      SELECT ${game.game_id}, 'production', 'player-' || number,
             now() - number * interval '1 minute'
      FROM generate_series(1, ${PLAYERS}::integer) AS number`);
  });
  after(() => stage.close());

  test('a list reads on as it is scrolled, and has only the rows near the window', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'players'), { token: owner.token });
    const table = page.getByRole('region', { name: 'Players' });
    const more = page.getByRole('button', { name: 'Show more' });
    const last = table.getByRole('link', { name: `player-${PLAYERS}`, exact: true });
    await more.click();
    await table.getByRole('link', { name: 'player-100', exact: true }).waitFor();
    await more.click();
    let most = 0;
    await until('the last row is there', async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      most = Math.max(most, await table.locator('tbody tr').count());
      return (await last.count()) === 1;
    });
    assert.ok(most < 120, `${most} rows were on the page`);
    await last.waitFor();
    const row = table.locator('tbody tr', {
      has: page.getByRole('link', { name: `player-${PLAYERS}`, exact: true }),
    });
    assert.equal(await row.getAttribute('aria-rowindex'), String(PLAYERS + 1));
    const widths = () =>
      table
        .locator('th')
        .evaluateAll((cells) =>
          cells.map((cell) => Math.round(cell.getBoundingClientRect().width)),
        );
    const at_end = await widths();
    await page.evaluate('scrollTo(0, 0)');
    await table.getByRole('link', { name: 'player-1', exact: true }).waitFor();
    assert.deepEqual(await widths(), at_end);
    await close();
  });
});
