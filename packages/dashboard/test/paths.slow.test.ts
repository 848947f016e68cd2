import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { choose, DAYS, download, openAnalytics, rowTexts } from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { countOf } from '../src/ui/format.ts';
import { withoutBrowser } from './browser.ts';

describe('the page of paths', { skip: withoutBrowser }, () => {
  let analytics: AnalyticsStage;
  before(async () => {
    analytics = await openAnalytics();
  });
  after(() => analytics.stage.close());

  test('paths can be requested, explored with the keyboard, and saved', async () => {
    const { page, close } = await analytics.open(`paths?${DAYS}`);
    await page.getByRole('heading', { name: 'Choose an event' }).waitFor();
    await choose(page, 'Event', 'session_start');
    await page.getByText('session_start happened in 8 sessions.').waitFor();
    await page.getByText('Next came most often session_end: 4 of 8.').waitFor();
    const places = await page.getByRole('button', { name: /^Step 1:/ }).all();
    assert.deepEqual(await Promise.all(places.map((place) => place.getAttribute('aria-label'))), [
      'Step 1: session_end 4 of 8, 4 sessions',
      'Step 1: shop_opened 3 of 8, 3 sessions',
      'Step 1: purchase 1 of 8, 1 session',
    ]);

    await page.getByRole('button', { name: 'The event: session_start' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.getByText('Step 1: shop_opened in 3 sessions, 3 of 8.').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Step 2: session_end in 2 sessions/).waitFor();
    await page.keyboard.press('Enter');
    const behind = page.getByRole('dialog', { name: /^Step 2 after session_start: session_end, / });
    await behind.getByText('2 players', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await behind.waitFor({ state: 'hidden' });
    for (const [box, title, names] of [
      [
        /^Step 2: Ended here/,
        'Step 2 after session_start: ended here',
        ['ant', 'bee', 'cow', 'dog'],
      ],
      [/^The event: session_start/, 'Did session_start', ['ant', 'bee', 'cow', 'dog']],
      [/^Step 1: purchase/, 'Step 1 after session_start: purchase', ['ant']],
    ] as const) {
      await page.getByRole('button', { name: box }).click();
      const list = page.getByRole('dialog', { name: title });
      await list.getByText(countOf(names.length, 'player'), { exact: true }).waitFor();
      for (const name of names) await list.getByRole('link', { name }).waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
    }

    await page.getByRole('button', { name: /^Step 2: session_end/ }).focus();
    await page.keyboard.press('Tab');
    const isInChart = await page.evaluate(`document.activeElement.closest('[data-box]') !== null`);
    assert.equal(isInChart, false, 'one press of Tab leaves the chart');

    await page.getByRole('button', { name: 'Table' }).click();
    const rows = await rowTexts(page, 'Steps of the paths');
    assert.equal(rows[1], '1 session_start session_end 4 4 of 8');
    assert.ok(rows.includes('2 session_end Ended here 4 4 of 8'), rows.join('; '));
    assert.match(
      (await download(page, /Download paths/)).lines[1]!,
      /^1,start,session_start,event,/,
    );

    const all = page.url();
    await page.goto(`${all}&split_by=property:country`);
    const groups = await rowTexts(page, 'By country');
    assert.deepEqual(groups.slice(1), ['DE 5 2 of 5 2 of 5 1 of 5', 'US 3 2 of 3 1 of 3 –']);
    await page.getByRole('button', { name: 'Remove split by country' }).click();

    await page.getByRole('combobox', { name: 'Leave out' }).fill('shop_opened');
    await page.keyboard.press('Enter');
    await page.getByText('Next came most often session_end: 5 of 8.').waitFor();
    await page.getByText('Before', { exact: true }).first().click();
    await page.getByText('8 of 8 began with it.').waitFor();
    await choose(page, 'Event', 'purchase');
    await page.getByText('purchase happened in 3 sessions.').waitFor();
    const whole = await rowTexts(page, 'Most frequent paths');
    assert.deepEqual(whole.slice(1), ['began → session_start → purchase 3 3 of 3']);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name').fill('Before a purchase');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Before a purchase').waitFor();
    await page.goto(page.url().replace(/\?.*/, `?${DAYS}`));
    await page.getByRole('button', { name: 'Saved' }).click();
    await page.getByRole('menuitem', { name: 'Before a purchase' }).click();
    await page.getByRole('heading', { name: 'Before purchase' }).waitFor();
    await close();
  });
});
