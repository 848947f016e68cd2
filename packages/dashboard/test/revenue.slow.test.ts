import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAYS, download, nameOf, openAnalytics, rowTexts } from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { findViolations, loadAxe } from './axe.ts';
import { until, withoutBrowser } from './browser.ts';

describe('the revenue page', { skip: withoutBrowser }, () => {
  let analytics: AnalyticsStage;
  before(async () => {
    analytics = await openAnalytics();
  });
  after(() => analytics.stage.close());

  test('a studio accepts the suggested purchase event, and sees revenue, payers and conversion', async () => {
    const { page, close } = await analytics.open(`revenue?${DAYS}`);
    await page.getByRole('button', { name: 'Choose the event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('Your game sent purchase 3 times in 90 days, with price such as')
      .waitFor();
    await dialog.getByRole('button', { name: 'Use this' }).click();
    assert.equal(await dialog.getByLabel('Property with the amount').inputValue(), 'price');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Choose a currency').waitFor();
    await dialog.getByRole('combobox', { name: 'Currency of all purchases' }).fill('eur');
    await page.getByRole('option', { name: 'EUR' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByText(`€15.00 from ${nameOf(0)} to ${nameOf(6)}, after €0.00`).waitFor();
    for (const figure of ['Revenue €15.00', 'ARPDAU €1.8750', 'Payers 2', 'ARPPU €7.50']) {
      await page.getByRole('button', { name: figure }).waitFor();
    }
    await page.getByText('Of 4 players new in these days, 2 had paid').waitFor();
    await page.getByText('First day', { exact: true }).waitFor();
    await page.getByText('Day 14 needs a range that begins more than 14 days ago.').waitFor();

    const vips = JSON.stringify({ tags: ['vip'] });
    const all = page.url();
    await page.goto(`${all}&players=${encodeURIComponent(vips)}`);
    await page.getByRole('button', { name: 'Revenue €3.00' }).waitFor();
    await page.getByRole('button', { name: 'Remove tag vip' }).click();

    await page.goto(`${all}&split_by=property:country`);
    const [, germans] = await rowTexts(page, 'By country');
    assert.equal(germans, 'DE €15.00 €3.0000 2 €7.50 3 of 5 2 of 2');
    await page.getByRole('button', { name: 'Remove split by country' }).click();

    await page.getByRole('button', { name: 'Payers 2' }).click();
    await page.getByRole('heading', { name: 'Players who paid', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Table' }).first().click();
    const rows = await rowTexts(page, 'Revenue by day');
    assert.equal(rows.at(-1), `${nameOf(0)} €10.00 €2.5000 2 €5.00 2 of 4`);
    assert.match((await download(page, /Download revenue/)).lines[1]!, /,EUR,10,0,2,0,2,4,2\.5,5,/);
    await page.getByRole('button', { name: 'Show payers' }).click();
    const payers = page.getByRole('dialog');
    await payers.getByText('2 players', { exact: true }).waitFor();
    for (const name of ['ant', 'bee']) await payers.getByRole('link', { name }).waitFor();
    await page.keyboard.press('Escape');

    for (const chart of ['Players who paid', 'New players who paid']) {
      await page.getByRole('button', { name: `Pin ${chart}`, exact: true }).click();
      const name = page.getByLabel('Name of the new dashboard');
      await page.getByRole('dialog').getByLabel('Title').waitFor();
      if (await name.isVisible()) await name.fill('Money');
      await page.getByRole('dialog').getByRole('button', { name: 'Pin', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('link', { name: 'Money' }).click();
    await page.getByText('2 in all, 0 in the days before').waitFor();
    await page.getByText('2 of 4 had paid by day 7').waitFor();
    await close();
  });

  test('with exchange rates that the studio enters, revenue in several currencies is added up', async () => {
    const { page, close } = await analytics.open(`revenue?${DAYS}`, { expected: /400/ });
    const settings = {
      event_name: 'purchase',
      amount_property: 'price',
      currency_property: 'item',
    };
    await analytics.ask('PUT', 'revenue-settings', settings);
    await page.reload();
    await page.getByText('3 events left out').waitFor();
    await page.getByText('item is missing or not a currency').waitFor();
    await analytics.ask('PUT', 'revenue-settings', {
      event_name: 'purchase',
      amount_property: 'price',
      currency: 'USD',
    });
    await page.reload();
    await page.getByRole('button', { name: 'Revenue $15.00' }).waitFor();
    await analytics.ask('PUT', 'revenue-settings', {
      ...settings,
      currency_property: 'currency',
      report_currency: 'SEK',
    });
    await page.reload();
    await page.getByRole('button', { name: 'Purchase event and rates' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add rate' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Choose currency and day of each rate').waitFor();
    await dialog.getByRole('combobox', { name: 'Currency of rate 1' }).fill('USD');
    await page.getByRole('option', { name: 'USD' }).click();
    await dialog.getByLabel('SEK for one USD, rate 1').fill('10.5');
    await loadAxe(page);
    const violations = await findViolations(page, '[role=dialog]');
    assert.deepEqual(
      violations.map(({ id }) => id),
      [],
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until('the rate is stored', async () => {
      const { body } = await analytics.ask('GET', 'revenue-settings');
      return body.settings.rates[0]?.rate === 10.5;
    });
    await close();
  });

  test('a viewer sees the settings but cannot change them', async () => {
    const { stage, game, open } = analytics;
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const { page, close } = await open(`revenue?${DAYS}`, { token });
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Close' }).last().waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Save' }).count(), 0);
    await close();
  });
});
