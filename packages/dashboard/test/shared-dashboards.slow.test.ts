import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('a link to a dashboard', { skip: withoutBrowser }, () => {
  let game_stage: GameStage;
  let dashboard_id: string;
  before(async () => {
    game_stage = await openGameStage();
    const event = { event_name: 'run', session_id: 's', player_id: 'owl' };
    await game_stage.send('POST', '/v1/track', event);
    const { body } = await game_stage.ask('POST', 'dashboards', {
      name: 'Launch',
      cards: [
        { title: 'Daily', report: 'active-players', chart: 'daily', last_days: 7 },
        { title: 'Runs', report: 'breakdown', chart: 'events', query: 'event_name=run' },
        { title: 'Lengths', report: 'sessions', chart: 'lengths', width: 'full' },
      ],
    });
    dashboard_id = body.id;
  });
  after(() => game_stage.stage.close());

  const makeLink = async (note: string) => {
    const { body } = await game_stage.ask('POST', `dashboards/${dashboard_id}/links`, {
      environment: 'production',
      note,
    });
    return body as { id: string; link: string };
  };
  const pathOf = (link: string) => link.slice(link.indexOf('/shared'));

  test('is made by an admin, shows the charts to a reader without an account, and is revoked', async () => {
    const { stage, game, owner } = game_stage;
    const path = gamePath(game, `dashboards/${dashboard_id}`);
    const admin = await stage.visit(path, { token: owner.token });
    await admin.page.getByRole('button', { name: 'Share' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('For', { exact: true }).fill('The publisher');
    await dialog.getByRole('button', { name: 'Make link' }).click();
    const link = await dialog.getByTestId('link').innerText();
    await dialog.getByText('last used never').waitFor();

    const reader = await stage.visit(pathOf(link), { isNewReader: true, expected: /410/ });
    const { page } = reader;
    await page.getByRole('heading', { name: 'Launch', level: 1 }).waitFor();
    await page.getByRole('group', { name: 'Daily active players, day by day' }).waitFor();
    await page.getByText('1 events in all').waitFor();
    assert.equal(await page.title(), 'Launch · Test game · Overworld');
    assert.equal(await page.locator('main a, main button').count(), 0);
    assert.equal(await page.evaluate('localStorage.length'), 0);
    await loadAxe(page);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      assert.deepEqual(await findViolations(page, 'body'), []);
    }

    await admin.page.getByRole('button', { name: 'Make another' }).click();
    await admin.page.getByRole('button', { name: 'Revoke The publisher' }).click();
    await admin.page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await admin.page.getByText('The link does not work any more').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This link was revoked' }).waitFor();
    await reader.close();
    await admin.close();
  });

  test('tells its reader when it is broken or expired', async () => {
    const { stage } = game_stage;
    const { link, id } = await makeLink('Short');
    await stage.server.database.execute(
      sql`UPDATE dashboard_links SET expires_at = now() WHERE id = ${id}`,
    );
    for (const [path, heading] of [
      [pathOf(link), 'This link has expired'],
      ['/shared#broken', 'This link does not work'],
      ['/shared', 'This link does not work'],
    ] as const) {
      const { page, close } = await stage.visit(path, { expected: /410|404/, width: 390 });
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await close();
    }
  });

  test('makes the dashboard say that it is shared, also in the dialog that pins a chart to the dashboard', async () => {
    const { stage, game, owner } = game_stage;
    await makeLink('Everybody');
    const { page, close } = await stage.visit(gamePath(game, 'dashboards'), {
      token: owner.token,
    });
    await page.getByText('shared by link').waitFor();
    await page.goto(gamePath(game, 'sessions'));
    await page.getByRole('button', { name: 'Pin Sessions' }).click();
    await page.getByText('This dashboard is shared by link').waitFor();
    await page.keyboard.press('Escape');
    await until('it closes', async () => (await page.getByRole('dialog').count()) === 0);
    await close();
  });
});
