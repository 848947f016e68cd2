import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { gamePath, go, undo, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const CARDS = ['Daily', 'Sessions', 'Lengths'];

/** Reads the titles of the cards, in their order. */
const titles = (page: Page) => page.locator('main li h2').allInnerTexts();

describe('dashboards', { skip: withoutBrowser }, () => {
  let game_stage: GameStage;
  let stage: Stage;
  before(async () => {
    game_stage = await openGameStage();
    ({ stage } = game_stage);
    for (const event_name of ['run', 'jump']) {
      await game_stage.send('POST', '/v1/track', { event_name, session_id: 's', player_id: 'owl' });
    }
  });
  after(() => stage.close());

  const makeDashboard = async (name: string) => {
    const { body } = await game_stage.ask('POST', 'dashboards', {
      name,
      cards: [
        { title: 'Daily', report: 'active-players', chart: 'daily' },
        { title: 'Sessions', report: 'sessions', chart: 'count' },
        { title: 'Lengths', report: 'sessions', chart: 'lengths' },
      ],
    });
    return body.id as string;
  };
  const storedTitles = async (id: string) => {
    const { body } = await game_stage.ask('GET', `dashboards/${id}`);
    return body.cards.map(({ title }: { title: string }) => title);
  };
  const visit = (path: string, width = 1440) =>
    stage.visit(gamePath(game_stage.game, path), { token: game_stage.owner.token, width });

  test('charts are pinned from their reports, and pinned charts link back to these reports', async () => {
    const { page, close } = await visit('active-players?figure=weekly&range=7');
    await page.getByRole('button', { name: 'Pin Weekly active players' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the new dashboard').fill('Launch');
    await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByText('Pinned to Launch').waitFor();
    const question = new URLSearchParams({ event_name: 'run', group_by: 'level' });
    for (const [path, heading, pin, title] of [
      ['events?tab=counts&event_name=run', 'Events', 'Pin run', 'Runs'],
      [`breakdown?${question}`, 'Breakdown', 'Pin run by level', 'Levels'],
      ['paths?event_name=run&hide=a&hide=b', 'Paths', 'Pin After run', 'Next'],
    ] as const) {
      await go(page, gamePath(game_stage.game, path), heading);
      await page.getByRole('button', { name: pin }).click();
      await dialog.getByLabel('Title').fill(title);
      await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    }
    await page.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('link', { name: 'Launch' }).click();
    await page.getByText('Last 7 days').waitFor();
    await page.getByRole('group', { name: 'Weekly active players, day by day' }).waitFor();
    await page.getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('group', { name: /^Paths after run/ }).waitFor();
    assert.deepEqual(await titles(page), ['Weekly active players', 'Runs', 'Levels', 'Next']);
    await page.getByRole('link', { name: 'Weekly active players' }).click();
    await page.getByRole('button', { name: /^Weekly/, pressed: true }).waitFor();
    assert.match(page.url(), /range=7/);
    await close();
  });

  test('arrow keys move cards; each move is announced, and the focus stays', async () => {
    const id = await makeDashboard('By keys');
    const { page, close } = await visit(`dashboards/${id}`);
    const grip = page.getByRole('button', { name: 'Move Daily: arrow keys or drag' });
    await grip.focus();
    for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('status').getByText('Daily is now 3 of 3').waitFor({ state: 'attached' });
    assert.deepEqual(await titles(page), ['Sessions', 'Lengths', 'Daily']);
    const focused = await page.evaluate('document.activeElement.ariaLabel');
    assert.equal(focused, 'Move Daily: arrow keys or drag');
    await until('the order is stored', async () =>
      equal(await storedTitles(id), ['Sessions', 'Lengths', 'Daily']),
    );
    await page.reload();
    await grip.waitFor();
    assert.deepEqual(await titles(page), ['Sessions', 'Lengths', 'Daily']);
    await close();
  });

  test('cards can be dragged, made wide, given other days, removed and restored', async () => {
    const id = await makeDashboard('By mouse');
    const { page, close } = await visit(`dashboards/${id}`);
    // Charts that appear during a drag would move the cards away from the pointer.
    await page.getByRole('heading', { name: 'Lengths' }).waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: 'Move Lengths: arrow keys or drag' })
      .dragTo(page.getByRole('heading', { name: 'Daily' }));
    await until('the order is stored', async () =>
      equal(await storedTitles(id), ['Lengths', 'Daily', 'Sessions']),
    );
    assert.deepEqual(await titles(page), ['Lengths', 'Daily', 'Sessions']);
    const act = async (title: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${title}` }).click();
      await page.getByRole('menu').getByText(item, { exact: true }).click();
    };
    await act('Sessions', 'Make full width');
    await page.locator('li[data-width=full]', { hasText: 'Sessions' }).waitFor();
    await act('Sessions', 'Last 90 days');
    await page.locator('li', { hasText: 'Sessions' }).getByText('Last 90 days').first().waitFor();
    await page.keyboard.press('Escape');
    await act('Daily', 'Remove');
    await until('it is removed', async () => equal(await titles(page), ['Lengths', 'Sessions']));
    await undo(page, 'Removed Daily');
    const all = ['Lengths', 'Daily', 'Sessions'];
    await until('it is stored again', async () => equal(await storedTitles(id), all));
    await until('it is back', async () => equal(await titles(page), all));
    await page.getByText('7 days', { exact: true }).click();
    await until('all show 7 days', async () => {
      return (await page.getByText('Last 7 days').count()) === CARDS.length;
    });
    // These events come in one go, so the drop comes before the page has shown the drag.
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      const fire = (target, type) =>
        target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      fire(document.querySelector('[aria-label^="Move Sessions"]'), 'dragstart');
      fire(document.querySelector('main li'), 'dragover');
      fire(document.querySelector('main li'), 'drop');
    }`);
    await until('the quick drag is stored', async () =>
      equal(await storedTitles(id), ['Sessions', 'Lengths', 'Daily']),
    );
    await close();
  });

  test('an editor does not overwrite the changes of another editor', async () => {
    const id = await makeDashboard('By two');
    const { page, close } = await stage.visit(gamePath(game_stage.game, `dashboards/${id}`), {
      token: game_stage.owner.token,
      expected: /409/,
    });
    const grip = page.getByRole('button', { name: 'Move Daily: arrow keys or drag' });
    await grip.waitFor();
    await game_stage.ask('PATCH', `dashboards/${id}`, { name: 'By two editors' });
    await grip.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('Somebody changed this dashboard meanwhile').waitFor();
    await page.getByRole('heading', { name: 'By two editors' }).waitFor();
    assert.deepEqual(await storedTitles(id), CARDS);
    assert.deepEqual(await titles(page), CARDS);
    await page.keyboard.press('ArrowDown');
    await until('the next move is stored', async () =>
      equal(await storedTitles(id), ['Sessions', 'Daily', 'Lengths']),
    );
    await close();
  });

  test('dashboards can be created, renamed, duplicated and deleted, and a chart is pinned to the newest by default', async () => {
    await makeDashboard('Theirs');
    const { page, close } = await visit('dashboards', 390);
    await page.getByRole('button', { name: 'New dashboard' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create dashboard' }).click();
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByLabel('Name').fill('Mine');
    await dialog.getByRole('button', { name: 'Create dashboard' }).click();
    await page.getByText('No charts yet').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    await dialog.getByText('until you pin one, a link shows an empty page').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const act = async (item: string) => {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await act('Rename');
    await dialog.getByLabel('Name').fill('Ours');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Ours' }).waitFor();
    await act('Duplicate');
    await dialog.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'Ours (copy)' }).waitFor();
    await act('Delete');
    await dialog.getByRole('button', { name: 'Delete dashboard' }).click();
    await page.getByText('Deleted Ours (copy)').waitFor();
    await page.getByRole('link', { name: 'Ours', exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Ours (copy)' }).count(), 0);

    await page.getByRole('link', { name: 'Ours', exact: true }).click();
    await page.getByRole('link', { name: 'To the reports' }).click();
    await page.getByRole('button', { name: /^Pin / }).first().click();
    const chosen = dialog.getByRole('combobox', { name: 'Dashboard' });
    assert.equal(await chosen.inputValue(), 'Ours');
    await close();
  });
});

const equal = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
