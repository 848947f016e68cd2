import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  DAYS,
  choose,
  dayOf,
  download,
  nameOf,
  openAnalytics,
  rowTexts,
} from './analytics-story.ts';
import type { AnalyticsStage } from './analytics-story.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the pages of reports', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let open: AnalyticsStage['open'];
  before(async () => {
    ({ stage, open } = await openAnalytics());
  });
  after(() => stage.close());

  test('active players are shown as figures, table and file, for the days in the URL', async () => {
    const { page, close } = await open(`active-players?${DAYS}`);
    await page.getByText(`On average 1 player a day, 1 of them new; the most were 4 on`).waitFor();
    await page.getByRole('button', { name: /^Weekly \(WAU\)/ }).click();
    await page.getByText('Within 7 days, on average 4 players came at least once').waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    const table = await rowTexts(page, 'Active players by day');
    assert.equal(table.length, 8);
    assert.equal(table.at(-1), `${nameOf(0)} 4 4 4 4 of 4 4`);
    assert.equal(table.at(-2), `${nameOf(1)} 3 4 4 3 of 4 0`);
    const file = await download(page, /Download .*csv/);
    assert.equal(file.name, `Test-game-active-players-production-${dayOf(0)}-${dayOf(6)}.csv`);
    assert.equal(file.lines.length, 8);
    assert.match(file.lines[1]!, new RegExp(`^${dayOf(0)},4,4,4,1`));

    await page.getByLabel('First day').fill(dayOf(1));
    await page.keyboard.press('Enter');
    await until(
      'six days',
      async () => (await rowTexts(page, 'Active players by day')).length === 7,
    );
    assert.match(page.url(), new RegExp(`figure=weekly.*from=${dayOf(1)}`));
    await page.getByLabel('Last day').fill(dayOf(0));
    await page.getByText('Before the first day').waitFor();
    await page.getByText('7 days', { exact: true }).click();
    await page
      .getByRole('button', { name: /Today so far 0/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Development' }).click();
    await page.getByText('Within 7 days, on average 0 players').waitFor({ state: 'detached' });
    await close();
  });

  test('retention of few players is shown in players, by day or week, and is described in words', async () => {
    const { page, close } = await open(`retention?${DAYS}`);
    const triangle = page.getByRole('region', { name: 'Retention by cohort' });
    await triangle.waitFor();
    const cells = async () => (await rowTexts(page, 'Retention by cohort'))[2];
    assert.match((await cells())!, new RegExp(`^${nameOf(0)} 4 3 0 1 0`));
    const words = `Of 4 players new on ${nameOf(0)}, `;
    await page.getByText(`${words}3 players came back the next day, ${nameOf(1)}.`).waitFor();
    await triangle.getByRole('cell', { name: /^1: / }).hover();
    await page.getByText(`${words}1 player came back 3 days later, ${nameOf(3)}.`).waitFor();
    await page.getByText('3 of 4', { exact: true }).first().waitFor();
    const file = await download(page, /Download retention/);
    assert.match(file.lines[1]!, new RegExp(`^${dayOf(0)},${dayOf(0)},4,`));
    await page.getByText('By week').click();
    await page
      .getByText(/Of 4 players new (on|from) /)
      .first()
      .waitFor();
    assert.match(page.url(), /cohort=week/);
    await close();
  });

  test('the page of sessions shows their number, their length and the average per player', async () => {
    const { page, close } = await open(`sessions?${DAYS}`);
    await page.getByText('8 sessions in these days, on average 9 min 30 s long').waitFor();
    await page.getByText('Most often 3 – 10 min: 5 of 8 sessions.').waitFor();
    await page.getByRole('button', { name: 'Table' }).last().click();
    assert.deepEqual(
      (await rowTexts(page, 'Sessions by length'))
        .filter((row) => !row.endsWith(' 0 0 of 8'))
        .slice(1),
      ['10 s – 1 min 2 2 of 8', '3 – 10 min 5 5 of 8', '30 min – 1 h 1 1 of 8'],
    );
    await page.getByRole('button', { name: 'Table' }).first().click();
    assert.equal((await rowTexts(page, 'Sessions by day')).at(-1), `${nameOf(0)} 4 1 3 min 53 s`);
    await close();
  });

  test('a broken build shows problems at once: by key, by schema and on the overview', async () => {
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
    // The report counts the events of all players, so the page offers no choice of players.
    assert.equal(await page.getByRole('button', { name: /^(Filter players|Split)$/ }).count(), 0);
    assert.equal(await page.getByRole('switch', { name: /^Compare/ }).count(), 0);
    await track('purchase', broken.body.key);
    const news = 'Broken build: 6 of 6 events today broke their schema; before there were none.';
    await page.getByText(news).waitFor();
    await page.getByText('6 events broke their schema, of 12 sent.').waitFor();
    const rows = await rowTexts(page, 'Data quality by API key');
    assert.ok(
      rows.some((row) => row.startsWith('Broken build 6 6 6 0 0')),
      rows.join('\n'),
    );
    assert.equal((await rowTexts(page, 'Schema violations'))[1], 'purchase Broken build 6 0');
    await choose(page, 'API key', 'Broken build');
    await page.getByText('6 events broke their schema, of 6 sent.').waitFor();
    assert.match(page.url(), /key_id=/);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('alert').getByText(news).waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Broken build' }).click();
    await page.getByText('6 events broke their schema, of 6 sent.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Data quality' }).click();
    await page.getByRole('heading', { name: 'Broke their schema' }).waitFor();
    await close();
  });
});
