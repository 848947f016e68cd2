import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rowTexts } from './analytics-story.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const HOUR_MS = 3_600_000;

describe('the page of levels', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    const now = Date.now();
    const play = (player_id: string, event_name: string, level: number, hours_ago: number) => ({
      player_id,
      event_name,
      session_id: player_id,
      properties: { level },
      client_timestamp: new Date(now - hours_ago * HOUR_MS).toISOString(),
    });
    await opened.send('POST', '/v1/track', [
      ...['ant', 'bee', 'cow'].flatMap((player) => [
        play(player, 'level_started', 9, 500),
        play(player, 'level_completed', 9, 499),
        play(player, 'level_started', 10, 498),
        play(player, 'shop_opened', 10, 497.5),
      ]),
      play('ant', 'level_failed', 10, 497),
      play('bee', 'level_failed', 10, 497),
      play('cow', 'level_completed', 10, 497),
      play('cow', 'level_started', 11, 20),
    ]);
    await until('the levels are counted', async () => {
      const { body } = await opened.ask('GET', 'analytics/events');
      return body.event_count === 16;
    });
  });
  after(() => opened.stage.close());

  test('a reader finds the level at which most players leave, who they are, and what they did before', async () => {
    const { stage, game, owner } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'progression'), {
      token: owner.token,
    });
    await page.getByText('Most left at').waitFor();
    const rows = await rowTexts(page, 'Numbers of each step');
    assert.deepEqual(
      rows.slice(1).map((row) => row.split(' ')[0]),
      ['9', '10', '11'],
    );
    await page
      .getByRole('row', { name: /^10 / })
      .getByRole('button', { name: '2', exact: true })
      .first()
      .click();
    await page.getByText('Left at level 10').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'What players did before, at 10' }).click();
    await page.getByRole('heading', { level: 1, name: 'Paths' }).waitFor();
    await page.getByText('shop_opened').first().waitFor({ state: 'attached' });
    await close();
  });
});
