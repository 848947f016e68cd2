import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { waitForIngest } from '../../server/test/inbox.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const run = promisify(execFile);
const HOSTILE = `it's "quoted" \\ $HOME \${x} $(id) \`id\` {a,b}[1-3]\n#&=%41+ é 日本 🏴‍☠️`;
const isPresent = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const withoutPython =
  !isPresent('python3', '-c', 'import pandas') && 'python3 or pandas is not installed';
const withoutR = !isPresent('Rscript', '--version') && 'R is not installed';
const withoutJsonlite =
  !isPresent('Rscript', '-e', 'library(jsonlite)') && 'jsonlite is not installed';

describe('"Use outside" of reports', { skip: withoutBrowser }, () => {
  let stage: GameStage;
  before(async () => {
    stage = await openGameStage();
    const event = { event_name: 'run', session_id: 's' };
    const { send, game } = stage;
    await send('POST', '/v1/identify', { player_id: 'owl', properties: { team: HOSTILE } });
    await send('POST', '/v1/track', [
      { ...event, player_id: 'owl', properties: { place: HOSTILE } },
      { ...event, player_id: 'owl', properties: { place: HOSTILE } },
      { ...event, player_id: 'cat', properties: { place: 'other' } },
    ]);
    await waitForIngest(stage.stage.server.database, game.game_id);
  });
  after(() => stage.stage.close());

  const visit = (path: string, options = {}) =>
    stage.stage.visit(gamePath(stage.game, path), { token: stage.owner.token, ...options });
  const makeToken = async (role: 'reports' | 'viewer') => {
    const { server } = stage.stage;
    return (await server.makeAccessToken(stage.owner.account_id, [stage.game.game_id], role)).token;
  };
  const codeOf = async (page: Page, name: string) =>
    (await page.getByRole('dialog').getByRole('region', { name, exact: true }).textContent())!;
  const filtered = `breakdown?${new URLSearchParams({
    event_name: 'run',
    group_by: 'place',
    filter: JSON.stringify([{ property: 'place', operator: 'eq', value: HOSTILE }]),
  })}`;

  test('the pasted lines read the report of the page, whatever its filter', async (t) => {
    const { page, close } = await visit(filtered);
    await page.getByRole('button', { name: 'Use outside' }).first().click();
    await page.getByRole('dialog').getByText('“Reports only”').waitFor();
    const address = await codeOf(page, 'Address');
    const { searchParams } = new URL(address);
    assert.equal(JSON.parse(searchParams.get('filter')!)[0].value, HOSTILE);
    for (const name of ['environment', 'from', 'to', 'event_name']) {
      assert.ok(searchParams.has(name), name);
    }
    const env = { ...process.env, OVERWORLD_TOKEN: await makeToken('reports') };
    const csv = await fetch(`${address}&format=csv`, {
      headers: { authorization: `Bearer ${env.OVERWORLD_TOKEN}` },
    });
    const expected = await csv.text();
    assert.match(expected, /^group,.*\r\n/);
    const curl = await run('sh', ['-c', `${await codeOf(page, 'curl')} -sS`], { env });
    assert.equal(curl.stdout, expected);
    const javascript = await codeOf(page, 'JavaScript');
    const node = await run(process.execPath, ['--input-type=module', '-e', javascript], { env });
    assert.match(node.stdout, /events: 2,/);
    assert.doesNotMatch(node.stdout, /error/);

    await t.test('Python', { skip: withoutPython }, async () => {
      const lines = `${await codeOf(page, 'Python')}\nprint(list(report.events))`;
      const python = await run('python3', ['-c', lines], { env });
      assert.match(python.stdout, /\[2, 2\]/);
    });
    await t.test('R', { skip: withoutR }, async () => {
      const lines = `${await codeOf(page, 'R')}\nprint(report$events)`;
      const r = await run('Rscript', ['-e', lines], { env });
      assert.match(r.stdout, /\[1\] 2 2/);
    });
    await close();
  });

  test('the lines of a result of an experiment make a table of its variants', async (t) => {
    const { ask } = stage;
    await ask('PUT', 'config', { parameters: { reward: { value: 100 } } });
    const { body } = await ask('POST', 'experiments', {
      name: 'Higher reward',
      share: 100,
      variants: [
        { name: 'Control', weight: 1 },
        { name: HOSTILE, weight: 1, values: { reward: 200 } },
      ],
      metrics: [{ kind: 'retention', days: 1 }],
    });
    await ask('POST', `experiments/${body.id}/start`);
    const { page, close } = await visit(`experiments/${body.id}`);
    await page.getByRole('button', { name: 'Use outside' }).first().click();
    await page.getByRole('dialog').getByText('“Reports only”').waitFor();
    const env = { ...process.env, OVERWORLD_TOKEN: await makeToken('reports') };
    const javascript = await codeOf(page, 'JavaScript');
    const node = await run(process.execPath, ['--input-type=module', '-e', javascript], { env });
    assert.match(node.stdout, /name: 'Control'/);
    const hex = Buffer.from(HOSTILE).toString('hex');
    await t.test('Python', { skip: withoutPython }, async () => {
      const more = 'print(report.shape[0], report["name"][1].encode("utf-8").hex())';
      const python = await run('python3', ['-c', `${await codeOf(page, 'Python')}\n${more}`], {
        env,
      });
      assert.match(python.stdout, new RegExp(`^2 ${hex}$`, 'm'));
    });
    await t.test('R', { skip: withoutR || withoutJsonlite }, async () => {
      const more =
        'cat(nrow(report), paste(charToRaw(enc2utf8(report$name[2])), collapse = ""), "\\n")';
      const r = await run('Rscript', ['-e', `${await codeOf(page, 'R')}\n${more}`], { env });
      assert.match(r.stdout, new RegExp(`^2 ${hex} $`, 'm'));
    });
    await close();
  });

  test('the overview and the cards of dashboards are read outside too, by viewers as well', async () => {
    const { game, ask } = stage;
    const { server } = stage.stage;
    const query = filtered.slice(filtered.indexOf('?') + 1);
    const card = { title: 'Places', report: 'breakdown', chart: 'events', query, last_days: 7 };
    const split = { title: 'Split', report: 'sessions', chart: 'count' };
    const cards = [card, { ...split, last_days: 30, query: 'split_by=property%3Ateam' }];
    const made = await ask('POST', 'dashboards', { name: 'Main', cards });
    assert.equal(made.status, 201, made.text);
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const { page, close } = await visit('overview', { token });
    const authorization = `Bearer ${await makeToken('reports')}`;
    const read = async (format: string) => {
      const address = `${await codeOf(page, 'Address')}${format}`;
      return fetch(address, { headers: { authorization } });
    };
    await page.getByRole('button', { name: 'Use outside' }).click();
    await page.getByRole('dialog').getByText('“Reports only”').waitFor();
    const days = await read('&format=csv');
    assert.match(await days.text(), /^day,.*\r\n/);
    await page.keyboard.press('Escape');

    await page.goto(gamePath(game, `dashboards/${made.body.id}`));
    const open = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).focus();
      await page.keyboard.press('Enter');
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      assert.deepEqual(await items.allTextContents(), ['Use outside']);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('region', { name: 'Address' }).waitFor();
    };
    await open('Places');
    const groups = (await (await read('')).json()) as { total: { events: number } };
    assert.equal(groups.total.events, 2);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open('Split');
    await page.getByRole('dialog').getByText('“Viewer”').waitFor();
    assert.equal((await read('')).status, 403);
    await close();
  });

  test('a report on chosen players asks for a token of a viewer, and the link opens its form', async () => {
    const players = JSON.stringify({
      properties: [{ property: 'team', operator: 'eq', value: HOSTILE }],
    });
    const { page, close } = await visit(`sessions?${new URLSearchParams({ players })}`);
    const opener = page.getByRole('button', { name: 'Use outside' }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('because this report is about chosen players').waitFor();
    const address = await codeOf(page, 'Address');
    const statusFor = async (role: 'reports' | 'viewer') =>
      (await fetch(address, { headers: { authorization: `Bearer ${await makeToken(role)}` } }))
        .status;
    assert.deepEqual([await statusFor('reports'), await statusFor('viewer')], [403, 200]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await opener.and(page.locator(':focus')).waitFor();
    await close();
  });

  test('the link leads to the form with the role "Reports only", which closes for good', async () => {
    const { page, close } = await visit('active-players');
    await page.getByRole('button', { name: 'Use outside' }).first().click();
    await page.getByRole('dialog').getByRole('link').click();
    const role = page.getByRole('dialog').getByRole('combobox', { name: 'Role' });
    assert.equal(await role.inputValue(), 'Reports only');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /new=/);
    await close();
  });

  for (const width of [390, 1440]) {
    test(`the dialog keeps the rules of accessibility, ${width} px wide`, async () => {
      const { page, close } = await visit(filtered, { width });
      await page.getByRole('button', { name: 'Use outside' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Copy curl' }).waitFor();
      await loadAxe(page);
      for (const theme of ['light', 'dark'] as const) {
        await setTheme(page, theme);
        if (process.env.OUTSIDE_PICTURES) {
          await page.screenshot({ path: `${process.env.OUTSIDE_PICTURES}/${theme}-${width}.png` });
        }
        assert.deepEqual(await findViolations(page, '[role=dialog]'), []);
      }
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      assert.equal(wide, width);
      if (process.env.OUTSIDE_PICTURES) {
        await page.keyboard.press('Escape');
        await page.waitForTimeout(400);
        await page.screenshot({ path: `${process.env.OUTSIDE_PICTURES}/page-${width}.png` });
      }
      await close();
    });
  }
});
