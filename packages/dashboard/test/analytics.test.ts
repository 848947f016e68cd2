import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

const DAY_MS = 86_400_000;
/** The story below begins ten days ago, so that all its days are over. */
const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
const dayOf = (number: number) => new Date(start + number * DAY_MS).toISOString().slice(0, 10);
const nameOf = (number: number) =>
  new Date(start + number * DAY_MS).toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
/** A week of days, in which the story happens. */
const DAYS = `from=${dayOf(0)}&to=${dayOf(6)}`;

type Row = [
  day: number,
  second: number,
  player_id: string,
  event_name: string,
  properties?: object,
];

const play = (day: number, player: string, seconds: number): Row[] => [
  [day, 0, player, 'session_start', { country: player < 'c' ? 'DE' : 'US' }],
  [day, seconds, player, 'session_end'],
];

/** Four players come on the first day, three of them the day after, one on the third. */
const STORY: Row[] = [
  ...play(0, 'ant', 300),
  ...play(0, 'bee', 300),
  ...play(0, 'cow', 300),
  ...play(0, 'dog', 30),
  ...play(1, 'ant', 300),
  ...play(1, 'bee', 300),
  ...play(1, 'cow', 30),
  ...play(3, 'ant', 3_000),
  [0, 10, 'ant', 'shop_opened'],
  [0, 10, 'bee', 'shop_opened'],
  [0, 10, 'cow', 'shop_opened'],
  [0, 70, 'ant', 'purchase', { item: 'Sword', price: 7 }],
  [0, 190, 'bee', 'purchase', { item: 'Shield', price: 3 }],
  [1, 20, 'ant', 'purchase', { item: 'Sword', price: 5 }],
];

describe('analytics:', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;

  before(async () => {
    stage = await openStage();
    const { server } = stage;
    game = await server.makeGame();
    owner = await server.makeAccount({ game_id: game.game_id });
    const key = game.production_key;
    const body = STORY.map(([day, second, player_id, event_name, properties]) => ({
      event_name,
      player_id,
      session_id: `${player_id} ${day}`,
      properties,
      client_timestamp: new Date(start + day * DAY_MS + DAY_MS / 2 + second * 1000).toISOString(),
    }));
    assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
    for (const [index, player_id] of ['ant', 'bee', 'cow', 'dog'].entries()) {
      const identify = { player_id, properties: { level: index * 10 } };
      await server.request('POST', '/v1/identify', { key, body: identify });
    }
    await server.request('POST', '/v1/players/bee/tags', { key, body: { tag: 'vip' } });
    await until('the story is counted', async () => {
      const path = `/v1/games/${game.game_id}/analytics/active-players?${DAYS}`;
      const answer = await server.request('GET', path, { token: owner.token });
      return answer.body.days[3].daily === 1;
    });
  });
  after(() => stage.close());

  const open = (page: string, options: Parameters<Stage['visit']>[1] = {}) =>
    stage.visit(gamePath(game, page), { token: owner.token, ...options });

  /** Presses a button that downloads a file, and reads the name and lines of the file. */
  const download = async (page: Page, button: RegExp) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    return { name: file.suggestedFilename(), lines };
  };

  /** Chooses one of the suggestions of a field. */
  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  const rowTexts = async (page: Page, table: string) => {
    const region = page.getByRole('region', { name: table });
    await region.getByRole('row').nth(1).waitFor();
    const texts = await region.getByRole('row').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  };

  test('active players show as figures, table and file, for the days in the address', async () => {
    const { page, close } = await open(`active-players?${DAYS}`);
    await page.getByText(`On average 1 player a day, 1 of them new; the most were 4 on`).waitFor();
    await page.getByRole('button', { name: /^Weekly \(WAU\)/ }).click();
    await page.getByText('Within 7 days, on average 4 players came at least once').waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    const table = await rowTexts(page, 'Active players by day');
    assert.equal(table.length, 8);
    assert.equal(table.at(-1), `${nameOf(0)} 4 4 4 100% 4`);
    assert.equal(table.at(-2), `${nameOf(1)} 3 4 4 75% 0`);
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
      .getByRole('button', { name: /today so far 0/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Development' }).click();
    await page.getByText('Within 7 days, on average 0 players').waitFor({ state: 'detached' });
    await close();
  });

  test('retention shows cells and their words, as shares or players, by day or week', async () => {
    const { page, close } = await open(`retention?${DAYS}`);
    const triangle = page.getByRole('region', { name: 'Retention by cohort' });
    await triangle.waitFor();
    const cells = async () => (await rowTexts(page, 'Retention by cohort'))[2];
    assert.match((await cells())!, new RegExp(`^${nameOf(0)} 4 75% 0% 25% 0%`));
    const words = `Of 4 players new on ${nameOf(0)}, `;
    await page.getByText(`${words}75% (3 players) came back the next day, ${nameOf(1)}.`).waitFor();
    await triangle.getByRole('cell', { name: '25%' }).last().hover();
    await page.getByText(`${words}25% (1 player) came back 3 days later, ${nameOf(3)}.`).waitFor();
    await page.getByRole('radiogroup', { name: 'Cells show' }).getByText('Players').click();
    await until('players', async () => /^\S+ \S+ 4 3 0 1 0/.test((await cells()) ?? ''));
    await page.getByText('On average 75% come back the next day').waitFor();
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

  test('sessions show their number, their length and the average per player', async () => {
    const { page, close } = await open(`sessions?${DAYS}`);
    await page.getByText('8 sessions in these days, on average 9 min 30 s long').waitFor();
    await page.getByText('Most often 3 – 10 min: 62.5% of sessions.').waitFor();
    await page.getByRole('button', { name: 'Table' }).last().click();
    assert.deepEqual(
      (await rowTexts(page, 'Sessions by length')).filter((row) => !row.endsWith(' 0 0%')).slice(1),
      ['10 s – 1 min 2 25%', '3 – 10 min 5 62.5%', '30 min – 1 h 1 12.5%'],
    );
    await page.getByRole('button', { name: 'Table' }).first().click();
    assert.equal((await rowTexts(page, 'Sessions by day')).at(-1), `${nameOf(0)} 4 1 3 min 53 s`);
    await close();
  });

  test('a funnel is built by clicking, broken down, saved, and opened by a viewer', async () => {
    const { page, close } = await open(`funnels?${DAYS}`);
    await page.getByRole('heading', { name: 'Choose at least two steps' }).waitFor();
    await choose(page, 'Event of step 1', 'session_start');
    await choose(page, 'Event of step 2', 'shop_opened');
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();
    await choose(page, 'Event of step 3', 'purchase');
    await page.getByRole('heading', { name: '50% took all 3 steps' }).waitFor();
    await page
      .getByText('Of 4 players who did session_start, 2 went on to purchase within 7 days.')
      .waitFor();
    const steps = page.getByRole('list', { name: 'Steps of the funnel' });
    await steps.getByText('66.7% went on, 1 stopped').waitFor();
    await steps.getByText('after 2 min (half of them 1 min 30 s to 2 min 30 s)').waitFor();

    await page.getByRole('button', { name: 'Add condition' }).last().click();
    await choose(page, 'Property', 'price');
    await page.getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: '>', exact: true }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('5');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '25% took all 3 steps' }).waitFor();
    await choose(page, 'Broken down by', 'country');
    const groups = async () => (await rowTexts(page, 'Funnel by country')).slice(1);
    await page.getByRole('region', { name: 'Funnel by country' }).waitFor();
    assert.deepEqual(await groups(), ['DE 2 100% 50%', 'US 2 50% 0%']);
    await page.getByRole('button', { name: 'Remove price > 5' }).click();
    await until('any price', async () => (await groups())[0] === 'DE 2 100% 100%');
    await page.getByRole('button', { name: 'Move step 3 up' }).click();
    await page.getByRole('heading', { name: '0% took all 3 steps' }).waitFor();
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
    await viewer.page.getByRole('button', { name: 'Saved' }).click();
    assert.equal(await viewer.page.getByRole('button', { name: 'Save', exact: true }).count(), 0);
    await viewer.page.getByRole('menuitem', { name: 'Shop <b>week</b>' }).click();
    await viewer.page.getByRole('heading', { name: '50% took all 3 steps' }).waitFor();
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

  test('a breakdown shows sums and percentiles of a property by another', async () => {
    const { page, close } = await open(`breakdown?${DAYS}`);
    await page.getByRole('heading', { name: 'Choose an event' }).waitFor();
    await choose(page, 'Event', 'purchase');
    await page.getByText('purchase happened 3 times, by 2 players.').waitFor();
    await choose(page, 'Broken down by', 'item');
    await page.getByText('Most often item is Sword: 66.7%.').waitFor();
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
