import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const DAY_MS = 86_400_000;

/** Players who begin with a version on a day. A part of them comes back on the next day. */
function makeEvents(app_version: string, days_ago: number, returning: number, crashing: number) {
  return Array.from({ length: 250 }, (_, index) => `${app_version}-${index}`).flatMap(
    (player_id, index) => {
      const event = (event_name: string, day: number, properties = {}) => ({
        event_name,
        session_id: `${player_id}-${day}`,
        player_id,
        client_timestamp: new Date(Date.now() - (days_ago - day) * DAY_MS).toISOString(),
        properties,
      });
      return [
        event('session_start', 0, { app_version }),
        ...(index < crashing ? [event('crash', 0)] : []),
        ...(index < returning ? [event('session_start', 1, { app_version })] : []),
      ];
    },
  );
}

describe('releases', { skip: withoutBrowser }, () => {
  let game_stage: GameStage;
  before(async () => {
    game_stage = await openGameStage();
  });
  after(() => game_stage.stage.close());

  const visit = (path: string, options = {}) =>
    game_stage.stage.visit(gamePath(game_stage.game, path), {
      token: game_stage.owner.token,
      ...options,
    });

  test('the page says how versions are noticed while there are none', async () => {
    const { page, close } = await visit('releases');
    await page.getByText('No releases yet').waitFor();
    await close();
  });

  test('the dashboard tells why day-1 retention fell with 1.5.0', async () => {
    const events = [
      ...makeEvents('1.4.0', 15, 180, 5),
      ...makeEvents('1.5.0', 6, 50, 120),
      ...makeEvents('0.0.1', 3, 0, 0).slice(0, 1),
    ];
    for (let at = 0; at < events.length; at += 100) {
      await game_stage.send('POST', '/v1/track', events.slice(at, at + 100));
    }
    const { page, close } = await visit('active-players');
    await page
      .getByRole('button', { name: /Version 1\.5\.0/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Releases', exact: true }).click();
    await page.getByRole('heading', { name: 'Releases', level: 1 }).waitFor();
    await page.getByRole('cell', { name: '1.4.0', exact: true }).waitFor();
    assert.equal(await page.getByText('0.0.1').count(), 0);
    await page.getByText('All, also rare and hidden').click();
    await page.getByText('rare', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Actions for 1.5.0' }).click();
    await page.getByRole('menuitem', { name: 'Name and note' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name');
    await name.fill('Winter festival');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Winter festival').waitFor();

    await page.getByRole('link', { name: 'Compare two releases' }).click();
    const sentence = page.getByText(/^From 1\.4\.0 to 1\.5\.0, /);
    await sentence.waitFor();
    const words = await sentence.textContent();
    assert.match(words!, /day-1 retention is lower \(72% to 20%\)/);
    assert.match(words!, /the number of crash events is higher \(0\.02 to 0\.48\)/);
    assert.match(words!, /all else may be noise\.$/);
    await loadAxe(page);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      assert.deepEqual(await findViolations(page, 'main'), []);
    }
    await page
      .getByRole('row', { name: /Events crash a player/ })
      .getByRole('link', { name: '250 players, who had it?' })
      .last()
      .click();
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
    await page
      .getByText(/\b120 players\b/)
      .first()
      .waitFor();
    await close();
  });
});
