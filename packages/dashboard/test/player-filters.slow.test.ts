import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/src/platform/database/sql.ts';
import {
  choose,
  dayOf,
  DAYS,
  download,
  nameOf,
  openAnalytics,
  rowTexts,
} from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { chooseByKeys, gamePath, until, withoutBrowser } from './browser.ts';

describe('reports limited to some players', { skip: withoutBrowser }, () => {
  let opened: AnalyticsStage;
  before(async () => {
    opened = await openAnalytics();
  });
  after(() => opened.stage.close());

  test('a report can be limited to some players with the keyboard alone, then split by a tag, and shared as a link', async () => {
    const { page, close } = await opened.open(`active-players?${DAYS}`);
    await page.getByText('On average 1 player a day').waitFor();
    await page.getByRole('button', { name: 'Filter players' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Property' }).focus();
    await page.keyboard.type('level');
    await page.keyboard.press('Tab');
    await page.getByRole('combobox', { name: 'Comparison' }).focus();
    await page.keyboard.press('Enter');
    // Escape closes only the list; the form stays and keeps the typed text.
    await page.getByRole('option', { name: '≥' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: '≥' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: '≥' }).waitFor();
    await chooseByKeys(page, '≥');
    await page.getByRole('textbox', { name: 'Value' }).focus();
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove level ≥ 20' }).waitFor();
    // Of the four players of the first day, only cow and dog have level 20 or more.
    await page.getByText(`the most were 2`).waitFor();

    await page.getByRole('button', { name: 'Split' }).click();
    await choose(page, 'Players by', 'Tag');
    await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('vip');
    await page.keyboard.press('Enter');
    await until('the groups', async () => (await rowTexts(page, 'By tag vip')).length === 2);
    assert.match((await rowTexts(page, 'By tag vip'))[1]!, /^Without/);
    await page.getByRole('button', { name: 'Remove level ≥ 20' }).click();
    await until('both groups', async () => (await rowTexts(page, 'By tag vip')).length === 3);
    await page.getByRole('switch', { name: 'Compare with the period before' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Average before').first().waitFor();

    const link = new URL(page.url());
    assert.equal(link.searchParams.get('split_by'), 'tag:vip');
    await close();
    const shared = await opened.open(`active-players${link.search}`);
    await until('the groups', async () => (await rowTexts(shared.page, 'By tag vip')).length === 3);
    await shared.close();
  });

  test('the filter offers platform, first version and country as properties, and suggests the values of a property', async () => {
    const { page, close } = await opened.open(`active-players?${DAYS}`);
    const filter = page.getByRole('button', { name: 'Filter players' });
    await filter.click();
    await page.getByRole('combobox', { name: 'Players by' }).waitFor();
    await page.keyboard.press('Escape');
    await filter.and(page.locator(':focus')).waitFor();
    await filter.click();
    await choose(page, 'Players by', 'Country');
    await choose(page, 'Country', 'DE');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove country is DE' }).waitFor();
    await page.getByText('the most were 2').waitFor();
    await page.getByRole('button', { name: 'Remove country is DE' }).click();
    await page.getByRole('button', { name: 'Split' }).click();
    await choose(page, 'Players by', 'Country');
    await page.getByRole('dialog').getByRole('button', { name: 'Split' }).click();
    await until('the groups', async () => (await rowTexts(page, 'By country')).length === 3);
    const [, ...rows] = await rowTexts(page, 'By country');
    assert.deepEqual(rows.map((row) => row.split(' ')[0]).toSorted(), ['DE', 'US']);
    await close();
  });

  /** Returns the player ids in the list that opens when a reader chooses a number. */
  const idsIn = async (page: Page) => {
    const list = page.getByRole('dialog').getByRole('region', { name: 'Players behind' });
    await list.getByRole('row').nth(1).waitFor();
    const texts = await list.getByRole('row').allInnerTexts();
    return texts.slice(1).map((text) => text.trim().split(/\s/)[0]);
  };

  test('with the mouse, a reader gets from a drop in retention to the players who left, and to a file of them', async () => {
    const { page, close } = await opened.open(`retention?${DAYS}`);
    await page.getByRole('button', { name: /^3: Of 4/ }).click();
    await page.getByText('3 players', { exact: true }).waitFor();
    await page.getByText('Not active that day').click();
    await page.getByText('1 player', { exact: true }).waitFor();
    assert.deepEqual(await idsIn(page), ['dog']);
    const { lines } = await download(page, /Download players/);
    assert.deepEqual(
      lines.map((line) => line.split(',')[0]),
      ['player_id', 'dog'],
    );
    await page.getByRole('button', { name: 'Tag players' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tag 1 player' });
    await dialog.getByRole('combobox', { name: 'Tag', exact: true }).fill('Left Early');
    await dialog.getByRole('button', { name: 'Tag 1 player' }).click();
    await page.getByText('Tagged 1 player: left early').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open as a segment' }).click();
    await page.getByRole('heading', { name: 'Segments' }).waitFor();
    await page.getByRole('region', { name: 'Players of the segment' }).getByText('dog').waitFor();
    await close();
  });

  test('a click on the number of players who stopped at a step of a funnel lists these players', async () => {
    const steps = encodeURIComponent('[{"event_name":"session_start"},{"event_name":"purchase"}]');
    const { page, close } = await opened.open(`funnels?${DAYS}&steps=${steps}`);
    await page.getByRole('button', { name: '2 stopped' }).click();
    await page.getByText('2 players', { exact: true }).waitFor();
    assert.deepEqual(await idsIn(page), ['cow', 'dog']);
    await close();
  });

  test('retention shows when day 30 of the first players ends, and offers a longer range if events are old enough', async () => {
    const { page, close } = await opened.open(`retention?${DAYS}`);
    const lacking = page.getByText('No new player of these days has had days 14, 30 yet');
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
    await page.getByText('Day 30 needs players who were new on').waitFor();
    await wider.click();
    await page.getByText('Day 30 needs').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('range'), '90');
    await stage.server.database.execute(sql`
      DELETE FROM daily_event_counts WHERE game_id = ${game.game_id} AND event_name = 'old'`);
    await close();
  });

  test('a saved funnel keeps the player filter with which it was saved', async () => {
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

  test('with the keyboard alone, a reader gets from a drop in retention to the ids of the players who left', async () => {
    const { page, close } = await opened.open('overview');
    const { keyboard } = page;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await keyboard.press('g');
    await keyboard.press('r');
    const cell = page.getByRole('button', { name: /^3: Of 4/ });
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

  test('when the list of players behind a number opens, its first player has the focus, and Enter opens that player', async () => {
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

  test('Escape closes a dialog above the list of players, and then the list', async () => {
    const cell = { report: 'active-players', players: 'active', from: dayOf(0), to: dayOf(0) };
    const drill_down = encodeURIComponent(JSON.stringify({ cell, players: {} }));
    const { page, close } = await opened.open(`active-players?${DAYS}&drill_down=${drill_down}`);
    const list = page.getByRole('dialog').filter({ hasText: '4 players' });
    await list.getByRole('button', { name: 'Use outside' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use outside' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await close();
  });
});
