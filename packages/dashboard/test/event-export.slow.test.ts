import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the export of events', { skip: withoutBrowser }, () => {
  let game_stage: GameStage;
  before(async () => {
    game_stage = await openGameStage();
    for (const player_id of ['owl', 'owl', 'fox']) {
      await game_stage.send('POST', '/v1/track', { event_name: 'run', session_id: 's', player_id });
    }
  });
  after(() => game_stage.stage.close());

  test('saves the events of the filter in each format', async () => {
    const { page, close } = await game_stage.stage.visit(
      gamePath(game_stage.game, 'events?player_id=owl'),
      { token: game_stage.owner.token, width: 390 },
    );
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 events received in these days.').waitFor();
    await dialog.getByText('all events of the player owl').waitFor();
    await loadAxe(page);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      assert.deepEqual(await findViolations(page, '[role=dialog]', undefined, ['region']), []);
    }
    const texts: Record<string, string> = {};
    for (const format of ['Parquet', 'NDJSON', 'CSV']) {
      await dialog.getByText(format, { exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ]);
      const name = /^events-production-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.(\w+)$/;
      assert.equal(name.exec(download.suggestedFilename())?.[1], format.toLowerCase());
      texts[format] = await readFile(await download.path(), 'latin1');
    }
    assert.match(texts['Parquet']!, /^PAR1.*PAR1$/s);
    const players = texts['NDJSON']!.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).player_id);
    assert.deepEqual(players, ['owl', 'owl']);
    assert.equal(texts['CSV']!.trimEnd().split('\r\n').length, 3);
    await close();
  });

  test('can be cancelled, and says when the file ends too early', async () => {
    const { page, close } = await game_stage.stage.visit(gamePath(game_stage.game, 'events'), {
      token: game_stage.owner.token,
      expected: /ERR_|Failed to load/,
    });
    await page.getByLabel('Live').uncheck({ force: true });
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 events received in these days.').waitFor();
    await dialog.getByText('NDJSON', { exact: true }).click();
    const { database } = game_stage.stage.server;
    const findWaiting = () =>
      database.query(sql`
        SELECT pid FROM pg_stat_activity
        WHERE application_name = 'overworld-explore' AND datname = current_database()
          AND wait_event_type = 'Lock'`);
    await database.transaction(async (locking) => {
      await locking.execute(sql`LOCK TABLE events`);
      await dialog.getByRole('button', { name: 'Download' }).click();
      await dialog.getByText('0 bytes received, 0 of 3 events.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.getByText('3 events received in these days.').waitFor();
      await until(
        'the cancelled statement has ended',
        async () => (await findWaiting()).length === 0,
      );
      await dialog.getByRole('button', { name: 'Download' }).click();
      await until('the statement of the export was ended', async () => {
        const ended = await database.query(sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'overworld-explore' AND datname = current_database()
            AND wait_event_type = 'Lock'`);
        return ended.length > 0;
      });
      await dialog.getByRole('alert').waitFor();
    });
    await page.keyboard.press('Escape');
    await close();
  });
});
