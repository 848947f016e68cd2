import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAYS, openAnalytics } from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { withoutBrowser } from './browser.ts';

describe('charts of groups', { skip: withoutBrowser }, () => {
  let stage: Awaited<ReturnType<typeof openAnalytics>>['stage'];
  let open: AnalyticsStage['open'];
  before(async () => {
    ({ stage, open } = await openAnalytics());
  });
  after(() => stage.close());

  test('the lines of groups are named, read by keys, stacked, and follow the figure', async () => {
    const { page, close } = await open(`active-players?split_by=property:level&${DAYS}`);
    const chart = page.getByRole('group', { name: 'Daily active players by group, day by day' });
    await chart.waitFor();
    const names = await chart.locator('ul').first().locator('li').allTextContents();
    assert.ok(names.length > 1, String(names));
    assert.ok(names.every((name) => name.endsWith('(few players)')));
    await page.getByText('Grey lines are of few players, fewer than 50').waitFor();

    await chart.focus();
    await page.keyboard.press('Home');
    const tip = chart.getByRole('status');
    await tip.waitFor();
    assert.equal(await tip.locator('dt').count(), names.length);

    const control = page.getByRole('radiogroup', { name: 'How groups are shown' });
    await control.getByText('Shares', { exact: true }).click();
    await page.waitForURL(/groups=shares/);
    await page.getByRole('button', { name: /^Stickiness/ }).click();
    await page.getByRole('group', { name: 'Stickiness by group, day by day' }).waitFor();
    assert.equal(await control.count(), 0);
    await close();
  });
});
