import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { waitForIngest } from '../../server/test/inbox.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const shots = process.env.SHOTS;

/** Support finds out for a player who has paid and got nothing what arrived, and makes it good. */
describe('a player who paid and got nothing', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    const { stage, game, owner, ask, send } = opened;
    const named = await stage.server.request('PATCH', `/v1/games/${game.game_id}`, {
      token: owner.token,
      body: { player_name_property: 'nick' },
    });
    assert.equal(named.status, 200, named.text);
    await ask('PUT', 'revenue-settings', {
      event_name: 'purchase',
      amount_property: 'price_cents',
      amount_unit: 'minor',
      currency_property: 'currency',
      currency: null,
    });
    for (const [player_id, nick] of [
      ['p-0017', 'Foxglove'],
      ['p-0018', 'Owlet'],
    ]) {
      await send('POST', '/v1/identify', { player_id, properties: { nick } });
      const device = { provider: 'device', device_id: `${nick}@example.com`, player_id };
      await send('POST', '/v1/players/login', { ...device, secret: 'x'.repeat(43) });
      await send('PUT', '/v1/saves', { player_id, data: { gems: 3 } });
      const event = { session_id: `of ${player_id}`, player_id };
      const bought = {
        price_cents: 499,
        currency: 'eur',
        item: 'gem_pack',
        order: `GPA-${nick}-9`,
      };
      await send('POST', '/v1/track', [
        { ...event, event_name: 'shop_opened' },
        { ...event, event_name: 'purchase', properties: bought },
        { ...event, event_name: 'shop_closed' },
      ]);
    }
    await waitForIngest(stage.server.database, game.game_id);
  });
  after(() => opened.stage.close());

  const listOf = async (player_id: string) =>
    (await opened.send('GET', `/v1/messages?player_id=${player_id}`)).messages as {
      id: string;
      title: string;
      rewards: object[];
      reason?: string;
    }[];

  /** The titles of the entries that the story shows, the latest first. */
  const titlesOf = async (page: Page) => {
    const lines = page.getByRole('region', { name: 'Timeline' }).locator('summary');
    return (await lines.allInnerTexts()).map((text) => text.split('\n')[1]!);
  };
  const PACK = [{ type: 'item', key: 'gem_pack', quantity: 1 }];

  test('is found by the number of the order, and gets the item with a reason, by mouse', async () => {
    const { stage, game, owner, send } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'players'), { token: owner.token });
    await page.getByRole('link', { name: 'Owlet' }).waitFor();
    await page.getByLabel('Search by name or id').fill('GPA-Foxglove-9');
    await page.getByText('A purchase of the last 90 days has it').waitFor();
    await until(
      'one player',
      async () => (await page.getByRole('link', { name: 'Owlet' }).count()) === 0,
    );
    if (shots) await photograph(page, 'found');
    await page.getByRole('link', { name: 'Foxglove' }).click();
    await page.getByRole('heading', { name: 'Foxglove' }).waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const kinds = page.getByRole('group', { name: 'Kinds' });
    for (const kind of ['Purchases', 'Saves', 'Messages']) await kinds.getByText(kind).click();
    await until(
      'purchases, saves and messages',
      async () => (await titlesOf(page)).toSorted().join() === 'Saved version 1,purchase €4.99',
    );
    await page.locator('summary', { hasText: 'purchase €4.99' }).click();
    await page.getByText('"GPA-Foxglove-9"').first().waitFor();
    if (shots) await photograph(page, 'purchase');

    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Send a message…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Your gems');
    await dialog.getByLabel('Text').fill('Your purchase did not arrive. Here it is.');
    await dialog.getByRole('button', { name: 'Add reward' }).click();
    await dialog.getByLabel('Item of reward 1').fill('gem_pack');
    await dialog.getByLabel('Reason').fill('Paid GPA-Foxglove-9, got nothing');
    await dialog.getByText('1 player', { exact: true }).waitFor();
    if (shots) await photograph(page, 'message');
    await dialog.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent').waitFor();
    await until('the message is in the story', async () =>
      (await titlesOf(page)).includes('Sent “Your gems”'),
    );
    const [message] = await listOf('p-0017');
    assert.deepEqual([message!.title, message!.rewards], ['Your gems', PACK]);
    assert.deepEqual(await listOf('p-0018'), []);

    await send('POST', `/v1/messages/${message!.id}/claim`, { player_id: 'p-0017' });
    await page.reload();
    await page.locator('summary', { hasText: 'Claimed “Your gems”' }).waitFor();
    if (shots) await photograph(page, 'claimed');
    await kinds.getByText('Edits by staff').click();
    await page.getByText('Paid GPA-Foxglove-9, got nothing').first().waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Paid GPA-Foxglove-9, got nothing').first().waitFor();
    await close();
  });

  test('is found by the login in the palette, and gets the item by keyboard, on a phone', async () => {
    const { stage, game, owner } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'overview'), {
      token: owner.token,
      width: 390,
    });
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'Test game' }).waitFor();
    await keyboard.press('ControlOrMeta+K');
    await page
      .getByPlaceholder(/Search|Find/)
      .first()
      .waitFor();
    await keyboard.type('Owlet@example.com');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Owlet' }).waitFor();
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await keyboard.press('ArrowRight');
    const kinds = page.getByRole('group', { name: 'Kinds' });
    for (const name of [/^Purchases/, /^Messages/]) {
      await kinds.getByRole('checkbox', { name }).focus();
      await keyboard.press('Space');
    }
    await until(
      'the purchase alone',
      async () => (await titlesOf(page)).join() === 'purchase €4.99',
    );
    await loadAxe(page);
    const grave = (await findViolations(page, 'main')).filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    assert.deepEqual(grave, []);
    if (shots) await photograph(page, 'phone');

    await page.getByRole('button', { name: 'Actions' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Send a message…' }).focus();
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').waitFor();
    await dialog.getByLabel('Title').focus();
    await keyboard.type('Your gems');
    await dialog.getByRole('button', { name: 'Add reward' }).focus();
    await keyboard.press('Enter');
    await dialog.getByLabel('Item of reward 1').focus();
    await keyboard.type('gem_pack');
    await dialog.getByLabel('Reason').focus();
    await keyboard.type('Paid, got nothing');
    await keyboard.press('Enter');
    await page.getByText('Message sent').waitFor();
    await until('the message is in the story', async () =>
      (await titlesOf(page)).includes('Sent “Your gems”'),
    );
    const [message] = await listOf('p-0018');
    assert.deepEqual(message!.rewards, PACK);
    await close();
  });

  async function photograph(page: Page, name: string): Promise<void> {
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      await page.screenshot({ path: `${shots}/${name}-${theme}.png` });
    }
    await setTheme(page, 'light');
  }
});
