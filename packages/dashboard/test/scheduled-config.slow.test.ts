import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openConfigStage, weekend } from './config-stage.ts';
import type { ConfigStage } from './config-stage.ts';

describe('a change of the config for the weekend', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let time: ConfigStage['time'];
  let makeGame: ConfigStage['makeGame'];
  let visit: ConfigStage['visit'];
  let play: ConfigStage['play'];
  before(async () => {
    ({ stage, time, makeGame, visit, play } = await openConfigStage());
  });
  after(() => stage.close());

  test('by keyboard alone: it is scheduled, seen to end, and another one is cancelled', async () => {
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

/** The name of the control that has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `(() => { const at = document.activeElement;
      return (at.ariaLabel || (at.labels?.[0] ?? at).innerText || '').trim(); })()`,
  );

/** Moves the focus to a control by the keyboard. */
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
