import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

/** A studio gives one player 50 coins with a word, and the player claims them. */
describe('messages to players', { skip: withoutBrowser }, () => {
  let stage: GameStage;
  before(async () => {
    stage = await openGameStage();
    await stage.ask('POST', 'stats', { key: 'coins', name: 'Coins', aggregation: 'sum' });
    for (const player_id of ['fox', 'owl']) {
      await stage.send('POST', '/v1/identify', { player_id, properties: { level: 7 } });
    }
  });
  after(() => stage.stage.close());

  const listed = async (player_id: string) =>
    (await stage.send('GET', `/v1/messages?player_id=${player_id}`)).messages as {
      id: string;
      title: string;
      rewards: object[];
    }[];
  const COINS = [{ type: 'item', key: 'coins', quantity: 50 }];

  test('one player gets 50 coins with a word, by mouse, from the page of the player', async () => {
    const { page, close } = await stage.stage.visit(gamePath(stage.game, 'players/fox'), {
      token: stage.owner.token,
    });
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Send a message…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Sorry, fox');
    await dialog.getByLabel('Text').fill('You paid and got nothing.');
    await dialog.getByRole('button', { name: 'Add reward' }).click();
    await dialog.getByLabel('Type of reward 1').click();
    await page.getByRole('option', { name: 'Statistic' }).click();
    await dialog.getByLabel('Change of reward 1').fill('50');
    await dialog.getByLabel('Statistic of reward 1').fill('coins');
    await dialog.getByLabel('Reason').fill('paid and got nothing');
    await dialog.getByText('+50 coins').waitFor();
    await dialog.getByText('1 player', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent').waitFor();
    const [message] = await listed('fox');
    const rewards = [{ type: 'stat', key: 'coins', value: 50 }];
    assert.deepEqual([message!.title, message!.rewards], ['Sorry, fox', rewards]);
    assert.deepEqual(await listed('owl'), []);
    await stage.send('POST', `/v1/messages/${message!.id}/claim`, { player_id: 'fox' });
    const { stats } = await stage.send('GET', '/v1/stats?player_id=fox');
    assert.equal(stats[0].value, 50);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Claimed “Sorry, fox”').first().waitFor();
    await page.getByText('paid and got nothing').first().waitFor();
    await close();
  });

  test('one player gets 50 coins with a word, by keyboard, from the page of messages', async () => {
    const { page, close } = await stage.stage.visit(gamePath(stage.game, 'messages'), {
      token: stage.owner.token,
    });
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Send a message' }).first().focus();
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').waitFor();
    await dialog.getByRole('radio', { name: 'Everyone' }).focus();
    await keyboard.press('ArrowLeft');
    await dialog.getByLabel('Player id').focus();
    await keyboard.type('owl');
    await dialog.getByLabel('Title').focus();
    await keyboard.type('For you');
    await dialog.getByRole('button', { name: 'Add reward' }).focus();
    await keyboard.press('Enter');
    await dialog.getByLabel('Quantity of reward 1').focus();
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('50');
    await keyboard.press('Tab');
    await keyboard.type('coins');
    await dialog.getByLabel('Reason').focus();
    await keyboard.type('a present');
    await keyboard.press('Enter');
    await page.getByText('Message sent').waitFor();
    const [message] = await listed('owl');
    assert.deepEqual([message!.title, message!.rewards], ['For you', COINS]);
    await close();
  });

  test('a message to everyone is counted, its players are shown, and it is recalled', async () => {
    const { page, close } = await stage.stage.visit(gamePath(stage.game, 'messages'), {
      token: stage.owner.token,
    });
    await page.getByRole('button', { name: 'Send a message' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/2 players/)
      .first()
      .waitFor();
    await dialog.getByLabel('Title').fill('Back again');
    await dialog.getByRole('button', { name: 'Add reward' }).click();
    await dialog.getByLabel('Item of reward 1').fill('gem');
    await dialog.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent').waitFor();
    const message = (await listed('owl')).find(({ title }) => title === 'Back again')!;
    await stage.send('POST', `/v1/messages/${message.id}/claim`, { player_id: 'owl' });
    await page.reload();
    await page.getByRole('button', { name: 'Claimed 1: players of Back again' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'owl' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for Back again' }).click();
    await page.getByRole('menuitem', { name: 'Recall…' }).click();
    await page.getByRole('button', { name: 'Recall message' }).click();
    await page.getByText('Message recalled').waitFor();
    await until('it is gone', async () =>
      (await listed('fox')).every(({ title }) => title !== 'Back again'),
    );
    await close();
  });

  test('a gift for every Friday is made, paused and changed by mouse, and deleted', async () => {
    const { page, close } = await stage.stage.visit(gamePath(stage.game, 'messages'), {
      token: stage.owner.token,
    });
    await page.getByRole('button', { name: 'Send a message' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Friday gift');
    await dialog.getByRole('button', { name: 'Add reward' }).click();
    await dialog.getByLabel('Item of reward 1').fill('gem');
    await dialog.getByText('Every day or week').click();
    await dialog.getByText('Fri', { exact: true }).click();
    await dialog.getByRole('combobox', { name: /^Hour/ }).click();
    await page.getByRole('option', { name: '09:00' }).click();
    await dialog.getByRole('button', { name: 'Make schedule' }).click();
    await page.getByText('Schedule made').waitFor();
    const schedules = page.getByRole('list', { name: 'Schedules' });
    await schedules.getByText('Fri at 09:00, to everyone, later players too').waitFor();
    await schedules.getByText(/^Next/).waitFor();
    const menu = (item: string) => async () => {
      await page.getByRole('button', { name: 'Actions for Friday gift' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu('Pause')();
    await schedules.getByText('Paused').waitFor();
    await menu('Edit…')();
    await page.getByRole('dialog').getByLabel('Title').fill('Weekend gift');
    await page.getByRole('dialog').getByText('Sat', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Schedule changed').waitFor();
    await schedules.getByText('Fri, Sat at 09:00, to everyone, later players too').waitFor();
    const [stored] = (await stage.ask('GET', 'message-schedules')).body.schedules;
    assert.deepEqual(
      [stored.title, stored.weekdays, stored.hour, stored.paused, stored.rewards[0].key],
      ['Weekend gift', ['friday', 'saturday'], 9, true, 'gem'],
    );
    await page.getByRole('button', { name: 'Actions for Weekend gift' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete schedule' }).click();
    await page.getByText('Schedule deleted').waitFor();
    await schedules.waitFor({ state: 'detached' });
    await close();
  });
});
