import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/src/platform/database/sql.ts';
import { DAYS, dayOf, nameOf, openAnalytics } from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';

describe('reports on some players', { skip: withoutBrowser }, () => {
  let opened: AnalyticsStage;
  before(async () => {
    opened = await openAnalytics();
  });
  after(() => opened.stage.close());

  test('retention says when its first players will have had a day, and offers only a range that has it', async () => {
    const { page, close } = await opened.open(`retention?${DAYS}`);
    const lacking = page.getByText('Nobody who came first in these days has had days 14, 30 yet');
    await lacking.waitFor();
    const since = `The first players came on ${nameOf(0)}, and their day 30 is over on ${nameOf(31)}`;
    await page.getByText(since).waitFor();
    const wider = page.getByRole('button', { name: 'Show 90 days' });
    assert.equal(await wider.count(), 0);
    await page.getByText('90 days', { exact: true }).click();
    await page.getByText(`The first events are of ${nameOf(0)}.`).waitFor();

    const { stage, game } = opened;
    await stage.server.database.execute(sql`
      INSERT INTO daily_event_counts (game_id, environment, day, event_name, key_id, event_count)
      VALUES (${game.game_id}, 'production', ${dayOf(-60)}, 'old', ${game.game_id}, 1)`);
    await page.goto(gamePath(game, `retention?${DAYS}`));
    await page.getByText('Day 30 needs players who came first on').waitFor();
    await wider.click();
    await page.getByText('Day 30 needs').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('range'), '90');
    await stage.server.database.execute(sql`
      DELETE FROM daily_event_counts WHERE game_id = ${game.game_id} AND event_name = 'old'`);
    await close();
  });

  test('a saved funnel keeps its players', async () => {
    const steps = encodeURIComponent('[{"event_name":"session_start"},{"event_name":"purchase"}]');
    const players = encodeURIComponent('{"tags":["vip"]}');
    const { page, close } = await opened.open(`funnels?${DAYS}&steps=${steps}&players=${players}`);
    await page.getByText('Of 1 player who did session_start').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name').fill('Vips who pay');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove tag vip' }).click();
    await page.getByText('Of 4 players who did session_start').waitFor();
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Vips who pay' }).click();
    await page.getByRole('button', { name: 'Remove tag vip' }).waitFor();
    await page.getByText('Of 1 player who did session_start').waitFor();
    await close();
  });

  /** The ids in the list of players behind a number. */
  const idsIn = async (page: Page) => {
    const list = page.getByRole('dialog').getByRole('region', { name: 'Players behind' });
    await list.getByRole('row').nth(1).waitFor();
    const texts = await list.getByRole('row').allInnerTexts();
    return texts.slice(1).map((text) => text.trim().split(/\s/)[0]);
  };

  test('a drop in retention leads by keyboard alone to the ids of the players who left', async () => {
    const { page, close } = await opened.open('overview');
    const { keyboard } = page;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await keyboard.press('g');
    await keyboard.press('r');
    const cell = page.getByRole('button', { name: /^75%/ });
    await cell.waitFor();
    let tabs = 0;
    while ((await cell.and(page.locator(':focus')).count()) === 0) {
      await keyboard.press('Tab');
      assert.ok(++tabs <= 12, 'Tab leads to the first cell');
    }
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: /, active on day 3/ }).waitFor();
    await page.getByText('1 player', { exact: true }).waitFor();
    assert.deepEqual(await idsIn(page), ['ant']);
    await keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: /not active on day 3/ }).waitFor();
    await page.getByText('3 players', { exact: true }).waitFor();
    assert.deepEqual(await idsIn(page), ['bee', 'cow', 'dog']);

    await page.getByRole('button', { name: 'Save as a segment' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('Left early');
    await page.keyboard.press('Enter');
    await page.getByText('Saved Left early').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await close();

    const choice = encodeURIComponent('{"segment":"Left early"}');
    const only = await opened.open(`active-players?${DAYS}&players=${choice}`);
    await only.page.getByRole('button', { name: 'Remove segment Left early' }).waitFor();
    await only.page.getByText('the most were 3').waitFor();
    await only.close();
  });

  test('the list behind a number gives the focus to its first player, whom Enter opens', async () => {
    const cell = { report: 'active-players', players: 'active', from: dayOf(0), to: dayOf(0) };
    const drill_down = encodeURIComponent(JSON.stringify({ cell, players: {} }));
    const { page, close } = await opened.open(`active-players?${DAYS}&drill_down=${drill_down}`);
    await page.getByText('4 players', { exact: true }).waitFor();
    const first = page.getByRole('dialog').locator('tbody').getByRole('link').first();
    await until(
      'it has the focus',
      async () => (await first.and(page.locator(':focus')).count()) > 0,
    );
    const player_id = await first.innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: player_id }).waitFor();
    await close();
  });
});
