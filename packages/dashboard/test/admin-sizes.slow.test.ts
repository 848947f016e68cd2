import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the sizes on the page of administration', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    await opened.send('POST', '/v1/identify', { player_id: 'ada', properties: {} });
    await opened.send('PUT', '/v1/saves', { player_id: 'ada', data: { level: 1 } });
  });
  after(() => opened.stage.close());

  test('show the largest games and tables, and all tables on demand', async () => {
    const { stage, owner } = opened;
    const { page, close } = await stage.visit('/admin?tab=sizes', { token: owner.token });
    const games = page.getByRole('region', { name: 'Games by size' });
    await games.getByRole('row', { name: /^Test game .+ 0 1 11 bytes 0 0$/ }).waitFor();
    const tables = page.getByRole('region', { name: 'Tables by size' });
    assert.equal(await tables.getByRole('row').count(), 13);
    await page.getByText(/\d+ other tables take \d/).waitFor();
    await page.getByRole('button', { name: 'Show all tables' }).click();
    await until('all are shown', async () => (await tables.getByRole('row').count()) > 60);
    await tables.getByText('saved_reports').waitFor();
    await close();
  });

  test('say that no game has data yet, and which nodes of a cluster are missing', async () => {
    const { stage, owner } = opened;
    const visited = { token: owner.token, isAlone: true, expected: /503/ };
    const { page, close } = await stage.visit('/admin', visited);
    await page.route('**/v1/admin/sizes', async (route) => {
      const answer = await (await route.fetch()).json();
      const changed = { games: [], unreachable_nodes: ['citus-2:5432'] };
      await route.fulfill({ json: { ...answer, ...changed } });
    });
    await page.getByRole('tab', { name: 'Sizes' }).click();
    await page.getByText('No game has data yet').waitFor();
    await page.getByText('The data on citus-2:5432 is not counted here.').waitFor();
    await page.unroute('**/v1/admin/sizes');
    await page.route('**/v1/admin/sizes', (route) =>
      route.fulfill({ status: 503, json: { error: 'Too many reports and searches are waiting' } }),
    );
    await page.reload();
    await page.getByText('This could not be loaded').first().waitFor();
    await close();
  });
});
