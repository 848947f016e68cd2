import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import { DAYS, openAnalytics } from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { gamePath, go, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages that explore events', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let open: AnalyticsStage['open'];
  before(async () => {
    ({ stage, game, open } = await openAnalytics());
  });
  after(() => stage.close());

  test('a report that takes too long says so in its place, and leaving the page stops it', async () => {
    const steps = JSON.stringify([{ event_name: 'session_start' }, { event_name: 'purchase' }]);
    const funnel = `funnels?${DAYS}&steps=${encodeURIComponent(steps)}`;
    const { page, close } = await open('overview', { expected: /503/ });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const words = 'The report took longer than 15 seconds: narrow it to fewer days or rarer events';
    await page.route('**/analytics/funnel?*', (route) =>
      route.fulfill({ status: 503, json: { error: words } }),
    );
    await go(page, gamePath(game, funnel), 'Funnels');
    await page.getByText(words).waitFor();
    assert.equal(await page.getByText('Nothing you typed is lost').count(), 0);

    await page.unroute('**/analytics/funnel?*');
    await page.route('**/analytics/funnel?*', () => undefined);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Reading events.').waitFor();
    const stopped = page.waitForEvent('requestfailed', {
      predicate: (request) => request.url().includes('/analytics/funnel'),
    });
    await page.getByRole('link', { name: 'Retention' }).click();
    await page.getByRole('heading', { name: 'Retention', level: 1 }).waitFor();
    await stopped;
    await close();
  });
});
