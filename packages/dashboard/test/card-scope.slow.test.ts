import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Card } from '@overworld/contract/dashboards/cards';
import { isDated, PINNED_REPORTS, REPORTS } from '@overworld/contract/analytics/reports';
import type { PinnedReport } from '@overworld/contract/analytics/reports';
import type { Page } from 'playwright-core';
import { waitForIngest } from '../../server/test/inbox.ts';
import { addressOf } from '../src/pages/dashboards/card-address.ts';
import { gamePath, go, withoutBrowser } from './browser.ts';
import type { Visit } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const DAY_MS = 86_400_000;
/** The parameters that limit every report about players, and split it. */
const SLICED = { players: JSON.stringify({ tags: ['vip'] }), split_by: 'property:country' };
const SCOPE = ['players', 'split_by', 'currency', 'from', 'to', 'property'];
/** The words of a card for these parameters. */
const SCOPE_WORDS: Record<string, string> = {
  players: 'tag vip',
  split_by: 'split by country',
};
/** Enough players for shares, of all, of those with the tag, and of each group. */
const PLAYERS = 120;
const VIPS = 110;
const BUY = { event_name: 'buy' };
const QUESTIONS: Record<PinnedReport, Record<string, string>> = {
  'active-players': SLICED,
  retention: { ...SLICED, cohort: 'day' },
  sessions: SLICED,
  events: { ...SLICED, event_name: 'buy' },
  'data-quality': {},
  funnel: { ...SLICED, steps: JSON.stringify([{ event_name: 'open' }, { event_name: 'buy' }]) },
  breakdown: { ...SLICED, ...BUY, property: 'price', currency: 'USD' },
  metric: { ...SLICED, metric_key: 'buyers' },
  revenue: { ...SLICED, currency: 'USD' },
  path: { ...SLICED, ...BUY, direction: 'previous' },
  progression: { ...SLICED, start_event: 'open', complete_event: 'buy', property: 'price' },
  'lifetime-value': { ...SLICED, currency: 'USD' },
  results: {},
};
/** The names of buttons that pin, by report and chart. All other pages have one such button. */
const PINS: Record<string, RegExp> = {
  'retention curve': /^Pin Average retention/,
  'retention cohorts': /^Pin Retention/,
  'sessions lengths': /^Pin How long/,
  'revenue conversion': /^Pin New players who paid/,
  'lifetime-value value': /^Pin Lifetime value/,
  'lifetime-value cohorts': /^Pin Revenue by cohort/,
};
const TITLES: Record<PinnedReport, string> = {
  'active-players': 'Active players',
  retention: 'Retention',
  sessions: 'Sessions',
  events: 'Events',
  'data-quality': 'Events',
  funnel: 'Funnels',
  breakdown: 'Breakdown',
  metric: 'Metrics',
  revenue: 'Revenue',
  path: 'Paths',
  'lifetime-value': 'Lifetime value',
  progression: 'Progression',
  results: 'Experiments',
};

describe('a card has the scope of the report it was pinned from', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  let visit: Visit;
  /** The reports that the page has asked for, each with its scope as a text. */
  const requests: { report: string; scope: string }[] = [];
  before(async () => {
    opened = await openGameStage();
    const { ask, send, stage, game, owner } = opened;
    const purchase = { event_name: 'buy', amount_property: 'price', currency_property: 'currency' };
    assert.equal((await ask('PUT', 'revenue-settings', purchase)).status, 200);
    const buyers = { name: 'Buyers', kind: 'players', event_name: 'buy' };
    assert.equal((await ask('PUT', 'metrics/buyers', buyers)).status, 200);
    for (let player = 0; player < PLAYERS; player++) {
      const player_id = `p${player}`;
      const properties = { country: player % 2 === 0 ? 'DE' : 'US' };
      await send('POST', '/v1/identify', { player_id, properties });
      if (player < VIPS) await send('POST', `/v1/players/${player_id}/tags`, { tag: 'vip' });
      const events = [3, 2, 1, 0].flatMap((days) => {
        const at = new Date(Date.now() - days * DAY_MS - 1_000).toISOString();
        const of = { session_id: `${player} ${days}`, player_id, client_timestamp: at };
        const currency = days === 0 ? 'EUR' : 'USD';
        return [
          { ...of, event_name: 'open' },
          { ...of, event_name: 'buy', properties: { price: player + 1, currency } },
        ];
      });
      await send('POST', '/v1/track', events);
    }
    await waitForIngest(stage.server.database, game.game_id);
    // All tests use one page, because a new one would load the app again.
    visit = await stage.visit(gamePath(game, 'settings'), { token: owner.token });
    visit.page.on('request', (request) => {
      const url = new URL(request.url());
      const [, report] = /\/analytics\/([^/]+)$/.exec(url.pathname) ?? [];
      if (report === undefined) return;
      const scope = SCOPE.map((name) => url.searchParams.get(name));
      requests.push({ report, scope: JSON.stringify(scope) });
    });
  });
  after(async () => {
    await visit.close();
    await opened.stage.close();
  });

  // The card of an experiment has no such parameters; experiments.slow.test.ts compares its verdict.
  for (const report of PINNED_REPORTS.filter(isDated)) {
    test(`each chart of the report ${report}`, async () => {
      const { game, ask } = opened;
      const { page } = visit;
      const charts = REPORTS[report].charts;
      const query = new URLSearchParams(QUESTIONS[report]).toString();
      const ofPages: string[] = [];
      const shown: string[] = [];
      for (const [index, chart] of charts.entries()) {
        const asked = { report, chart, query, last_days: 7 } as unknown as Card;
        const address = addressOf(asked, { from: '', to: '' });
        await go(page, gamePath(game, address), TITLES[report]);
        const pins = page.getByRole('button', { name: PINS[`${report} ${chart}`] ?? /^Pin / });
        await pins.first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Title').fill(chart);
        // The form proposes the dashboard that got the chart before.
        if (index === 0) await nameNewDashboard(page, report);
        await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
        await dialog.waitFor({ state: 'hidden' });
        shown.push(await page.locator('main').innerText());
        ofPages.push(requests.findLast((request) => request.report === report)!.scope);
      }
      const { dashboards } = (await ask('GET', 'dashboards')).body;
      const { id } = dashboards.find((each: { name: string }) => each.name === report);
      const sent = requests.length;
      await go(page, gamePath(game, `dashboards/${id}`), report);
      const cards = page.locator('main li[data-width]');
      for (const [index, chart] of charts.entries()) {
        const number = cards.nth(index).locator('p b').first();
        await number.waitFor();
        const words = await cards.nth(index).innerText();
        const scope = Object.keys(QUESTIONS[report]).map((name) => SCOPE_WORDS[name] ?? '');
        for (const part of [...scope, chart]) {
          assert.ok(words.includes(part), `${part} in ${words}`);
        }
        const text = await number.innerText();
        assert.ok(shown[index]!.includes(text.split(' ')[0]!), `${text} in ${shown[index]}`);
      }
      // A card with the question of a page may show the answer that the page got.
      for (const request of requests.slice(sent)) {
        if (request.report === report) assert.ok(ofPages.includes(request.scope), request.scope);
      }
    });
  }
});

async function nameNewDashboard(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const choice = dialog.getByRole('combobox', { name: 'Dashboard' });
  if ((await choice.count()) > 0) {
    await choice.click();
    await page.getByRole('option', { name: 'New dashboard…' }).click();
  }
  await dialog.getByLabel('Name of the new dashboard').fill(name);
}
