import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';

const PLAYERS = 2_000;
const MOST_ROWS = 100;

describe('long lists', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  before(async () => {
    ({ stage, game, owner } = await openGameStage());
    await stage.server.database.execute(sql`
      INSERT INTO players (game_id, environment, player_id, properties, last_seen_at)
      SELECT ${game.game_id}, 'production', 'player-' || number,
             jsonb_build_object('level', number),
             now() - number * interval '1 second'
      FROM generate_series(1, ${PLAYERS}::integer) AS number`);
  });
  after(() => stage.close());

  test('a list of 2,000 rows shows this total, and has at most 100 rows on the page', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'players'), { token: owner.token });
    const table = page.getByRole('region', { name: 'Players' });
    await page.getByText('50 of 2,000').waitFor();
    const byLevel = table.getByRole('button', { name: 'level' });
    assert.equal(await byLevel.count(), 0, 'a part of the list is not sorted by a property');
    await page.getByRole('button', { name: 'Show more' }).click();
    const last = table.getByRole('link', { name: `player-${PLAYERS}`, exact: true });
    await page.getByText('250 of 2,000').waitFor();
    const most = await page.evaluate<number>(`new Promise((resolve) => {
      const table = document.querySelector('table');
      let most = 0;
      const step = () => {
        most = Math.max(most, table.tBodies[0].rows.length);
        scrollTo(0, document.documentElement.scrollHeight);
        const isWhole = table.getAttribute('aria-rowcount') === '${PLAYERS + 1}';
        if (isWhole || most > ${MOST_ROWS}) resolve(most);
        else requestAnimationFrame(step);
      };
      step();
    })`);
    assert.ok(most <= MOST_ROWS, `${most} rows were on the page`);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await last.waitFor();
    await page.getByText('2,000 in all').waitFor();
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

    await byLevel.click();
    const cells = table.locator('tbody tr[aria-rowindex="2"] td');
    await until('the highest level first', async () =>
      (await cells.first().innerText()).startsWith(`player-${PLAYERS}`),
    );
    assert.match(
      (await cells.nth(2).getAttribute('class')) ?? '',
      /end/,
      'numbers end at one line',
    );
    await close();
  });
});
