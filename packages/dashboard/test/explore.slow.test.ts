import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import { choose, DAYS, download, openAnalytics, rowTexts } from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { gamePath, go, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages that explore events', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let open: AnalyticsStage['open'];
  before(async () => {
    ({ stage, game, open } = await openAnalytics());
  });
  after(() => stage.close());

  test('a funnel is built by clicking, broken down, saved, and opened by a viewer', async () => {
    const { page, close } = await open(`funnels?${DAYS}`);
    await page.getByRole('heading', { name: 'Choose at least two steps' }).waitFor();
    await choose(page, 'Event of step 1', 'session_start');
    await choose(page, 'Event of step 2', 'shop_opened');
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();
    await choose(page, 'Event of step 3', 'purchase');
    await page.getByRole('heading', { name: '2 of 4 took all 3 steps' }).waitFor();
    await page
      .getByText('Of 4 players who did session_start, 2 went on to purchase within 7 days.')
      .waitFor();
    const steps = page.getByRole('list', { name: 'Steps of the funnel' });
    await steps.getByText('2 of 3 went on, 1 stopped').waitFor();
    await steps.getByText('after 2 min (half of them 1 min 30 s to 2 min 30 s)').waitFor();

    await page.getByRole('button', { name: 'Add condition' }).last().click();
    await choose(page, 'Property', 'price');
    await page.getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: '>', exact: true }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('5');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 of 4 took all 3 steps' }).waitFor();
    await choose(page, 'Broken down by', 'country');
    const groups = async () => (await rowTexts(page, 'Funnel by country')).slice(1);
    await page.getByRole('region', { name: 'Funnel by country' }).waitFor();
    assert.deepEqual(await groups(), ['DE 2 2 of 2 1 of 2', 'US 2 1 of 2 0 of 2']);
    await page.getByRole('button', { name: 'Remove price > 5' }).click();
    await until('any price', async () => (await groups())[0] === 'DE 2 2 of 2 2 of 2');
    await page.getByRole('button', { name: 'Move step 3 up' }).click();
    await page.getByRole('heading', { name: '0 of 4 took all 3 steps' }).waitFor();
    await page.getByRole('button', { name: 'Move step 2 down' }).click();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('region', { name: 'Steps of the funnel' }).waitFor();
    const { lines } = await download(page, /Download funnel/);
    assert.match(lines[3]!, /^all,,3,purchase,2,0\.5/);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name').fill('Shop <b>week</b>');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Shop <b>week</b>').waitFor();
    await close();

    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const viewer = await open(`funnels?${DAYS}`, { token });
    await viewer.page
      .getByRole('region', { name: 'Saved by your studio' })
      .getByRole('link', { name: 'Shop <b>week</b>' })
      .waitFor();
    await viewer.page.getByRole('button', { name: 'Saved' }).click();
    assert.equal(await viewer.page.getByRole('button', { name: 'Save', exact: true }).count(), 0);
    await viewer.page.getByRole('menuitem', { name: 'Shop <b>week</b>' }).click();
    await viewer.page.getByRole('heading', { name: '2 of 4 took all 3 steps' }).waitFor();
    await viewer.page.getByRole('button', { name: 'Shop <b>week</b>' }).click();
    assert.equal(await viewer.page.getByRole('menuitem', { name: /^Delete/ }).count(), 0);
    await viewer.close();

    const again = await open(`funnels?${DAYS}`);
    await again.page.getByRole('button', { name: 'Saved' }).click();
    await again.page.getByRole('menuitem', { name: 'Shop <b>week</b>' }).click();
    await again.page.getByRole('button', { name: 'Shop <b>week</b>' }).click();
    await again.page.getByRole('menuitem', { name: 'Delete Shop <b>week</b>' }).click();
    await again.page.getByRole('button', { name: 'Undo' }).click();
    await again.page.getByRole('button', { name: 'Shop <b>week</b>' }).waitFor();
    await again.close();
  });

  test('a page without a question offers three that the newest events of the game answer', async () => {
    const own = await stage.server.makeGame();
    const { token } = await stage.server.makeAccount({ game_id: own.game_id });
    const names = ['level_start', 'level_start', 'level_start', 'level_end', 'level_end', 'shop'];
    await stage.server.request('POST', '/v1/track', {
      key: own.production_key,
      body: names.map((event_name) => ({
        event_name,
        session_id: 's1',
        player_id: 'p1',
        properties: { world: 'ice' },
      })),
    });
    await until('the events are counted', async () => {
      const counts = `/v1/games/${own.game_id}/analytics/events`;
      const { body } = await stage.server.request('GET', counts, { token });
      return body.event_count === names.length;
    });
    const { page, close } = await stage.visit(gamePath(own, 'funnels?range=7'), { token });
    const examples = page.getByRole('region', { name: 'For example' }).getByRole('link');
    await until('the examples are there', async () => (await examples.count()) === 2);
    assert.deepEqual(await examples.allInnerTexts(), [
      'level_start → level_end → shop',
      'level_end → shop',
    ]);
    await examples.first().click();
    await page.getByRole('heading', { name: /took all 3 steps$/ }).waitFor();
    assert.match(page.url(), /range=7/, 'the days stay');

    await go(page, gamePath(own, 'breakdown'), 'Breakdown');
    await until('three', async () => (await examples.count()) === 3);
    assert.deepEqual(await examples.allInnerTexts(), [
      'level_start by world',
      'level_end by world',
      'shop by world',
    ]);
    await examples.first().click();
    await page.getByText('level_start happened 3 times, by 1 player.').waitFor();
    await go(page, gamePath(own, 'paths'), 'Paths');
    await until('three paths', async () => (await examples.count()) === 3);
    await close();
  });

  test('a breakdown shows sums and percentiles of a property for each value of another property', async () => {
    const { page, close } = await open(`breakdown?${DAYS}`);
    await page.getByRole('heading', { name: 'Choose an event' }).waitFor();
    await choose(page, 'Event', 'purchase');
    await page.getByText('purchase happened 3 times, by 2 players.').waitFor();
    await choose(page, 'Broken down by', 'item');
    await page.getByText('Most often item is Sword: 2 of 3.').waitFor();
    await choose(page, 'Numbers of', 'price');
    await page.getByRole('heading', { name: 'Sum of price: 15' }).waitFor();
    const bars = page.getByRole('list', { name: 'Sum by group' });
    assert.deepEqual(
      (await bars.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s+/)),
      [
        ['Sword', '12'],
        ['Shield', '3'],
      ],
    );
    await choose(page, 'Show', 'Median of price');
    await page.getByRole('heading', { name: 'Median of price: 5' }).waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    const table = await rowTexts(page, 'Breakdown');
    assert.equal(table[1], 'Sword 2 1 12 6 5 5.5 6 6.5 6.8 6.98 7');
    assert.equal(table.at(-1), 'All 3 2 15 5 3 4 5 6 6.6 6.96 7');
    await page.reload();
    await page.getByRole('heading', { name: 'Median of price: 5' }).waitFor();
    assert.match((await download(page, /Download breakdown/)).lines[2]!, /^value,Sword,2,1,/);
    await close();
  });

  test('a segment finds players by tags, properties and events', async () => {
    const { page, close } = await open(`segments?${DAYS}`);
    await page.getByRole('heading', { name: '4 players' }).waitFor();
    await page.getByRole('button', { name: 'Add event' }).click();
    await choose(page, 'Event 1', 'purchase');
    await page.getByRole('heading', { name: '2 players' }).waitFor();
    await page.getByLabel('How often event 1').fill('2');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 player' }).waitFor();
    await page.getByText(/All players who did purchase at least 2 times from/).waitFor();
    const players = page.getByRole('region', { name: 'Players of the segment' });
    await players.getByRole('link', { name: 'ant' }).waitFor();
    await page.getByText('Did not', { exact: true }).click();
    await page.getByRole('heading', { name: '3 players' }).waitFor();
    await page.getByRole('combobox', { name: 'Have all of these tags' }).fill('VIP');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 player' }).waitFor();
    const { lines } = await download(page, /Download segment/);
    assert.equal(lines.length, 2);
    assert.match(lines[1]!, /^bee,/);
    await players.getByRole('link', { name: 'bee' }).click();
    await page.getByRole('heading', { name: 'bee', level: 1 }).waitFor();
    await close();
  });

  test('when a report takes too long, a message replaces it, and leaving the page stops the report', async () => {
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
