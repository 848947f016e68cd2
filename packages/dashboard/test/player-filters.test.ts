import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAYS, choose, openAnalytics, rowTexts } from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { until, withoutBrowser } from './browser.ts';

describe('reports on some players', { skip: withoutBrowser }, () => {
  let opened: AnalyticsStage;
  before(async () => {
    opened = await openAnalytics();
  });
  after(() => opened.stage.close());

  test('a report is limited to players by keyboard alone, split, and shared as a link', async () => {
    const { page, close } = await opened.open(`active-players?${DAYS}`);
    await page.getByText('On average 1 player a day').waitFor();
    await page.getByRole('button', { name: 'Filter players' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Property' }).focus();
    await page.keyboard.type('level');
    await page.keyboard.press('Tab');
    await page.getByRole('combobox', { name: 'Comparison' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: '≥' }).waitFor();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Value' }).focus();
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove level ≥ 20' }).waitFor();
    // Of the four players of the first day, cow and dog have level 20 and more.
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

  test('retention says which days its range lacks, and offers a range that has them', async () => {
    const { page, close } = await opened.open(`retention?${DAYS}`);
    const lacking = page.getByText('Nobody who came first in these days has had days 14, 30 yet');
    await lacking.waitFor();
    await page.getByText('Day 30 needs players who came first on').waitFor();
    await page.getByRole('button', { name: 'Show 90 days' }).click();
    await page.getByText('has had days 14, 30 yet.', { exact: false }).waitFor();
    await page.getByText('Day 30 needs').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('range'), '90');
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
});
