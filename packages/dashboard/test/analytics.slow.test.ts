import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { choose, openAnalytics, rowTexts } from './analytics-story.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages of reports', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    ({ stage } = await openAnalytics());
  });
  after(() => stage.close());

  test('a broken build shows at once, by key and schema, and on the overview', async () => {
    const { server } = stage;
    const mine = await server.makeGame({ event_validation: 'warn' });
    const { token } = await server.makeAccount({ game_id: mine.game_id });
    const schema = { required: ['price'] };
    const path = `/v1/games/${mine.game_id}/event-schemas/purchase`;
    await server.request('PUT', path, { token, body: { schema } });
    const track = (event_name: string, key: string) =>
      server.request('POST', '/v1/track', {
        key,
        body: Array.from({ length: 6 }, () => ({ event_name, session_id: 's' })),
      });
    await track('level_start', mine.production_key);
    const broken = await server.request('POST', `/v1/games/${mine.game_id}/api-keys`, {
      token,
      body: { name: 'Broken build', environment: 'production' },
    });
    const { page, close } = await stage.visit(gamePath(mine, 'events?tab=quality'), { token });
    await page.getByText('Nothing is worse today than on the days before.').waitFor();
    await track('purchase', broken.body.key);
    const news = 'Broken build: 6 events today (100%) broke their schema; before there were none.';
    await page.getByText(news).waitFor();
    await page.getByText('6 events broke their schema, of 12 received.').waitFor();
    const rows = await rowTexts(page, 'Data quality by API key');
    assert.ok(
      rows.some((row) => row.startsWith('Broken build 6 6 0 0')),
      rows.join('\n'),
    );
    assert.equal((await rowTexts(page, 'Schema violations'))[1], 'purchase Broken build 6 0');
    await choose(page, 'API key', 'Broken build');
    await page.getByText('6 events broke their schema, of 6 received.').waitFor();
    assert.match(page.url(), /key_id=/);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('alert').getByText(news).waitFor();
    await page.getByRole('link', { name: 'Data quality' }).click();
    await page.getByRole('heading', { name: 'Broke their schema' }).waitFor();
    await close();
  });
});
