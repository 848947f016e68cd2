import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { gamePath, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openConfigStage, weekend } from './config-stage.ts';
import type { ConfigStage } from './config-stage.ts';

describe('a scheduled change of the config', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let time: ConfigStage['time'];
  let makeGame: ConfigStage['makeGame'];
  let visit: ConfigStage['visit'];
  let play: ConfigStage['play'];
  before(async () => {
    ({ stage, time, makeGame, visit, play } = await openConfigStage());
  });
  after(() => stage.close());

  test('is scheduled by mouse on a phone, begins, and ends with the old value', async () => {
    const game = await makeGame({ daily_reward: { value: 100 } });
    const first = await visit(game, 390);
    await first.page.getByRole('tab', { name: 'Scheduled' }).click();
    await first.page.getByRole('button', { name: 'Schedule a change' }).first().click();
    const dialog = first.page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Double rewards');
    await dialog.getByRole('button', { name: 'The coming weekend' }).click();
    await dialog.getByRole('button', { name: 'Review change' }).click();
    const mistake = dialog.getByText('Choose at least one parameter');
    await mistake.waitFor();
    await dialog.getByLabel('Parameter to change').fill('daily_reward');
    await first.page.getByRole('option', { name: 'daily_reward' }).click();
    await dialog.getByRole('button', { name: 'Add parameter' }).click();
    await mistake.waitFor({ state: 'hidden' });
    await dialog.getByLabel('Value', { exact: true }).fill('200');
    await dialog.getByRole('button', { name: 'Review change' }).click();
    await dialog.getByLabel('Value of daily_reward').getByText('−100').waitFor();
    await dialog.getByLabel('Value of daily_reward').getByText('+200').waitFor();
    await dialog.getByText(/From Sat, .* until Mon, .* Times are in UTC/).waitFor();
    await dialog.getByRole('button', { name: 'Schedule change' }).click();
    const open = first.page.getByRole('region', { name: 'Coming and running changes' });
    await open.getByText('coming', { exact: true }).waitFor();
    assert.deepEqual(await play(game), { daily_reward: 100 });
    await first.close();

    const [start, end] = weekend();
    const begun = time.now;
    time.now = start;
    assert.deepEqual(await play(game), { daily_reward: 200 });
    const second = await visit(game);
    await second.page.getByText(/^until Mon, /).waitFor();
    await second.page.getByRole('tab', { name: 'Scheduled' }).click();
    await second.page.getByText('running', { exact: true }).waitFor();
    await second.close();

    time.now = end;
    assert.deepEqual(await play(game), { daily_reward: 100 });
    const third = await visit(game);
    await third.page.getByRole('tab', { name: 'Scheduled' }).click();
    await third.page
      .getByRole('region', { name: 'Past changes' })
      .getByText('done', { exact: true })
      .waitFor();
    await third.page.getByRole('tab', { name: 'History' }).click();
    await third.page.getByText('end of “Double rewards”').waitFor();
    await third.page.getByRole('button', { name: 'Show version 2' }).click();
    await third.page.getByLabel('Value of daily_reward').getByText('+200').waitFor();
    await third.close();
    time.now = begun;
  });

  test('has rules that are reordered by keys and by mouse, and the preview follows the order', async () => {
    const rules = [
      { name: 'Half', percentage: 50, value: 1 },
      { name: 'All', percentage: 100, value: 2 },
      { name: 'None', percentage: 0, value: 3 },
    ];
    const game = await makeGame({ reward: { value: 0, rules } });
    for (const player_id of ['p1', 'p2', 'p3', 'p4']) {
      const key = game.production_key;
      const body = { player_id, properties: {} };
      await stage.server.request('POST', '/v1/identify', { key, body });
    }
    const { page, close } = await visit(game);
    await page.getByRole('button', { name: 'Edit reward' }).click();
    const dialog = page.getByRole('dialog');
    const names = () =>
      Promise.all(
        [1, 2, 3].map((n) => dialog.getByLabel(`Name of rule ${n}`, { exact: true }).inputValue()),
      );
    await dialog.getByRole('button', { name: 'Who would get what?' }).click();
    await dialog.getByText('Of the 4 players').waitFor();
    await dialog.getByRole('button', { name: 'Move rule 2: arrow keys or drag' }).focus();
    await page.keyboard.press('ArrowUp');
    assert.deepEqual(await names(), ['All', 'Half', 'None']);
    await dialog.getByText('4 of 4').waitFor();
    await until('the grip keeps the focus', async () =>
      (await focused(page)).startsWith('Move rule 1:'),
    );
    await dialog
      .getByRole('button', { name: 'Move rule 3: arrow keys or drag' })
      .dragTo(dialog.getByLabel('Name of rule 1', { exact: true }));
    await until('the rule is first', async () => (await names()).join() === 'None,All,Half');
    await dialog.getByRole('button', { name: 'Move rule 1 down' }).click();
    assert.deepEqual(await names(), ['All', 'None', 'Half']);
    assert.equal(await focused(page), 'Move rule 2 down');
    await page.keyboard.press('Enter');
    assert.deepEqual(await names(), ['All', 'Half', 'None']);
    assert.equal(await focused(page), 'Move rule 3 down');
    await dialog.getByRole('button', { name: 'Move rule 3 up' }).click();
    assert.deepEqual(await names(), ['All', 'None', 'Half']);
    await dialog.getByLabel('And this player').fill('p1');
    await dialog.getByText(/matches rule 1/).waitFor();
    await dialog.getByText(/Rule 2: not in the percentage; place [\d.]+ of 100/).waitFor();
    await dialog.getByRole('button', { name: 'Review change' }).click();
    await dialog.getByLabel('Rules of reward').getByText('+Half: 50% of players → 1').waitFor();
    await dialog.getByRole('button', { name: 'Publish to production' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { token } = await stage.server.makeAccount({ game_id: game.game_id });
    const path = `/v1/games/${game.game_id}/config`;
    const stored = await stage.server.request('GET', path, { token });
    const order = stored.body.parameters.reward.rules.map(({ name }: { name: string }) => name);
    assert.deepEqual(order, ['All', 'None', 'Half']);
    await close();
  });

  test('takes keys faster than the page looks after the focus', async () => {
    const game = await makeGame({ daily_reward: { value: 100 } });
    const { token } = await stage.server.makeAccount({ game_id: game.game_id });
    const path = gamePath(game, 'config?tab=scheduled');
    const { page, close } = await stage.visit(path, { token, isAlone: true });
    await page.getByRole('button', { name: 'Schedule a change' }).first().click();
    await until('the name has the focus', async () => (await focused(page)) === 'Name');
    // On a busy machine, timers are late.
    await page.evaluate(`(() => {
      const later = setTimeout;
      window.setTimeout = (run, ms = 0, ...rest) => later(run, ms + 500, ...rest);
    })()`);
    await tabTo(page, 'Parameter to change');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(await focused(page), 'Parameter to change');
    await close();
  });

  test('is scheduled by keyboard only and ends, and another change is cancelled', async () => {
    const game = await makeGame({ daily_reward: { value: 100 } });
    const { page, close } = await visit(game);
    await page.getByRole('tab', { name: 'Parameters' }).waitFor();
    await tabTo(page, 'Parameters');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Nothing is scheduled').waitFor();
    await press(page, 'Schedule a change', 'Enter');
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
    await until('the name has the focus', async () => (await focused(page)) === 'Name');
    await page.keyboard.type('Double rewards');
    await press(page, 'The coming weekend', 'Enter');
    await tabTo(page, 'Parameter to change');
    await page.keyboard.type('daily_reward');
    await page.keyboard.press('Escape');
    await press(page, 'Add parameter', 'Enter');
    await tabTo(page, 'Value', 'Shift+Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('200');
    await press(page, 'Review change', 'Enter');
    await page.getByText('This changes what players get in production').waitFor();
    await press(page, 'Schedule change', 'Enter');
    await page.getByText('coming', { exact: true }).waitFor();
    await close();

    const begun = time.now;
    const [start, end] = weekend();
    for (const [at, reward] of [
      [start, 200],
      [end, 100],
    ] as const) {
      time.now = at;
      assert.deepEqual(await play(game), { daily_reward: reward });
    }
    const later = await visit(game);
    await later.page.getByRole('tab', { name: 'Parameters' }).waitFor();
    await tabTo(later.page, 'Parameters');
    await later.page.keyboard.press('ArrowRight');
    const past = later.page.getByRole('region', { name: 'Past changes' });
    await past.getByText('done', { exact: true }).waitFor();

    const { token } = await stage.server.makeAccount({ game_id: game.game_id });
    const body = {
      name: 'Triple rewards',
      starts_at: new Date(time.now + 86_400_000).toISOString(),
      parameters: { daily_reward: { value: 300 } },
    };
    await stage.server.request('POST', `/v1/games/${game.game_id}/config/schedules`, {
      token,
      body,
    });
    await later.page.reload();
    await later.page.getByText('coming', { exact: true }).waitFor();
    await press(later.page, 'Cancel Triple rewards', 'Enter');
    await press(later.page, 'Cancel change', 'Enter');
    await past.getByText('cancelled', { exact: true }).waitFor();
    await later.close();
    time.now = begun;
  });
});

/** Returns the name of the control that has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `(() => { const at = document.activeElement;
      return (at.ariaLabel || (at.labels?.[0] ?? at).innerText || '').trim(); })()`,
  );

/** Presses a key until the focus is on the control with this name. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${name} cannot be reached by ${key}`);
}

async function press(page: Page, name: string, key: string): Promise<void> {
  await until(`${name} shows`, async () =>
    page.getByRole('button', { name, exact: true }).first().isVisible(),
  );
  await tabTo(page, name);
  await page.keyboard.press(key);
}
