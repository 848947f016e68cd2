import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('a fork on the pages of the dashboard', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  const makeFork = async () => {
    const [origin, fork] = [await stage.server.makeGame(), await stage.server.makeGame()];
    await stage.server.database.execute(sql`
      UPDATE games SET forked_from = ${origin.game_id}, advanced_days = 3
      WHERE id = ${fork.game_id}`);
    return { origin, fork };
  };

  test('has a badge, names its game and its day, and says how its clock is set on', async () => {
    const { origin, fork } = await makeFork();
    const { token } = await stage.server.makeAccount({ is_administrator: true });
    const { page, close } = await stage.visit(gamePath(fork, 'overview'), { token });
    const note = page.getByRole('main').getByText('This game is a fork of');
    await note.waitFor();
    assert.match(await note.innerText(), /^This game is a fork of Test game, .* at day 3\.$/);
    await page.getByText(`npx overworld advance ${fork.game_id} --days=1`).waitFor();
    await page.getByRole('button', { name: 'Game: Test game, a fork. Switch game' }).click();
    await page.getByRole('menuitem', { name: 'Test game Fork' }).waitFor();
    await page.keyboard.press('Escape');
    await note.getByRole('link').click();
    await page.waitForURL(new RegExp(origin.game_id));
    await page.getByRole('button', { name: 'Game: Test game. Switch game' }).waitFor();
    assert.equal(await note.count(), 0);
    await close();
  });

  test('does not name its game to those who may not see it, and fits on a phone', async () => {
    const { fork } = await makeFork();
    const { token } = await stage.server.makeAccount({ game_id: fork.game_id, role: 'viewer' });
    const { page, close } = await stage.visit(gamePath(fork, 'overview'), { token, width: 390 });
    await page.getByText('This game is a fork of a game that you do not see').waitFor();
    await loadAxe(page);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      for (const rules of [undefined, ['color-contrast']]) {
        const found = await findViolations(page, 'main', rules, ['region']);
        assert.deepEqual(
          found.map(({ id }) => id),
          [],
        );
      }
    }
    const sizes = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    const [content = 0, window = 0] = sizes as number[];
    assert.ok(content <= window, `${content} > ${window}`);
    await close();
  });
});
