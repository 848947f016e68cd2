import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import { formatMoment, formatZone } from '../src/ui/time/format-time.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const HOUR_MS = 3_600_000;
/** A time zone in which it is noon now, so some hours of today are over and some are still to come. */
const hour = new Date().getUTCHours();
const zone = `Etc/GMT${hour >= 12 ? '+' : '-'}${Math.abs(hour - 12)}`;

describe('times on the pages of a game', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  let game: TestGame;
  let token: string;
  before(async () => {
    opened = await openGameStage();
    const { server } = opened.stage;
    game = await server.makeGame({ time_zone: zone });
    ({ token } = await server.makeAccount({ game_id: game.game_id }));
    const played = [
      ['ant', 1],
      ['ant', 24],
      ['bee', 25],
      ['cow', 15],
      ['ant', 48],
      ['ant', 48 + 6 * 24],
    ] as const;
    const body = played.map(([player_id, hours_ago]) => ({
      event_name: 'level_start',
      player_id,
      session_id: `${player_id} ${hours_ago}`,
      client_timestamp: new Date(Date.now() - hours_ago * HOUR_MS).toISOString(),
    }));
    await server.request('POST', '/v1/track', { key: game.production_key, body });
    // The server answers this request only after it has counted the events.
    await server.request('GET', `/v1/games/${game.game_id}/events`, { token });
  });
  after(() => opened.stage.close());

  const open = (page: string, width = 1440) =>
    opened.stage.visit(gamePath(game, page), { token, width });

  test('the headline shows yesterday, and the hours of today are compared with the same hours of yesterday', async () => {
    const { page, close } = await open('overview');
    const players = page.getByRole('button', { name: /^Players yesterday 3 Day before 1/ });
    await players.getByText(/^Yesterday until \d/).waitFor();
    const words = (await players.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(words, /Today so far 1 Yesterday until \d\d:\d\d [12] Last \w+ until/);
    await page.getByText(`Days in ${formatZone(zone)}. Today is not over.`).waitFor();
    assert.equal(await page.locator('[data-unfinished]').count(), 1);
    await close();
  });

  test('the page of active players shows the last full day, and compares the hours of today with yesterday', async () => {
    const { page, close } = await open('active-players');
    const daily = page.getByRole('button', { name: /^Daily \(DAU\), \w+ \d+ 3 Day before 1/ });
    await daily.waitFor();
    await page.getByRole('button', { name: /Today so far 1 Yesterday until/ }).waitFor();
    await close();
  });

  test('hours are shown in the time zone of the game, and future hours are empty', async () => {
    const { page, close } = await open('events?tab=counts&range=1');
    await page.getByText(`Hours in ${formatZone(zone)}. This hour is not over.`).waitFor();
    const chart = page.getByRole('group', { name: 'All events over time' });
    await chart.press('End');
    await chart.getByRole('status').getByText('not yet').waitFor();
    assert.match(await chart.getByRole('status').innerText(), /23:00/);
    await chart.press('Home');
    await chart.getByRole('status').getByText('0', { exact: true }).waitFor();
    assert.match(await chart.getByRole('status').innerText(), /00:00/);
    await page.getByRole('button', { name: 'Table' }).click();
    const table = page.getByRole('region', { name: 'Events over time' });
    await table.getByRole('row').nth(1).waitFor();
    // There is one row for the head and one for each hour from
    // midnight to noon. One more hour may have begun during the test.
    const rows = await table.getByRole('row').count();
    assert.ok(rows === 14 || rows === 15, String(rows));
    await close();
  });

  test('hovering over a relative time shows the exact time and zone, and screen readers read them', async () => {
    const { page, close } = await open('events');
    const time = page.getByRole('region', { name: 'Events' }).getByRole('time').first();
    const exact = formatMoment((await time.getAttribute('datetime'))!, zone);
    assert.match(exact, / GMT[+-]?\d*$| UTC$/);
    assert.match(await time.innerText(), /ago|just now/);
    assert.ok((await time.innerText()).endsWith(`, ${exact}`));
    await time.hover();
    await page.getByRole('tooltip').getByText(exact).waitFor();
    await close();
  });

  test('days after today cannot be chosen', async () => {
    const { page, close } = await open('events?tab=counts&from=2026-01-01&to=2026-01-02');
    await page.getByLabel('Last day').fill('2100-01-01');
    await page.getByText('After today').waitFor();
    await close();
  });
});
