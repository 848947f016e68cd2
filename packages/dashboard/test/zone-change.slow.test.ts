import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the time zone of a game', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  test('changing the zone first shows what the change costs, and then shows its progress', async () => {
    const { stage, game, owner, send, ask } = opened;
    const { game_id } = game;
    await send('POST', '/v1/track', { event_name: 'e', session_id: 's', player_id: 'p' });
    await ask('GET', 'events');
    const { page, close } = await stage.visit(gamePath(game, 'settings'), {
      token: owner.token,
      expected: /400/,
    });
    const field = page.getByRole('combobox', { name: 'Time zone' });
    const change = page.getByRole('button', { name: 'Change', exact: true });
    await field.fill('Nowhere/Land');
    await change.click();
    await page.getByText('1 event, in about 2 s').waitFor();
    await page.getByRole('button', { name: 'Move days' }).click();
    await page.getByRole('alert').getByText('Time zone must be an IANA time zone').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    const { database } = stage.server;
    // The change waits while another transaction locks the game's row in `event_holds`.
    await database.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO event_holds (game_id) VALUES (${game_id})`);
      await tx.execute(sql`SELECT FROM event_holds WHERE game_id = ${game_id} FOR UPDATE`);
      await field.fill('Asia/Kathmandu');
      await change.click();
      await page.getByRole('button', { name: 'Move days' }).click();
      await page.getByText(/^Moving to Asia.Kathmandu: 0% done/).waitFor();
      await database.execute(sql`
        UPDATE time_zone_changes SET progress = 0.42 WHERE game_id = ${game_id}`);
      await page.getByText(/^Moving to Asia.Kathmandu: 42% done/).waitFor();
      const banner = page.getByRole('status').filter({ hasText: 'moving to Asia/Kathmandu' });
      await banner.getByText('Until then reports keep the days of UTC.').waitFor();
    });
    await page.getByText('Days are now those of Asia/Kathmandu').waitFor();
    await page.getByText('now Asia/Kathmandu (GMT+5:45)').waitFor();
    assert.equal(await page.getByText(/^Moving to/).count(), 0);
    await page.getByRole('link', { name: 'Active players' }).click();
    await page.getByText('Days in Asia/Kathmandu (GMT+5:45).').waitFor();
    await close();
  });

  test('a developer sees the zone but cannot change it', async () => {
    const { stage, game } = opened;
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'developer' });
    const { page, close } = await stage.visit(gamePath(game, 'settings'), { token });
    assert.ok(await page.getByRole('combobox', { name: 'Time zone' }).isDisabled());
    assert.equal(await page.getByRole('button', { name: 'Change', exact: true }).count(), 0);
    await close();
  });
});
