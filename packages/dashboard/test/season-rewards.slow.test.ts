import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { makeTaskDue } from '../../server/src/platform/background/task-store.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import { gamePath } from './browser.ts';
import { openGameStage } from './game-stage.ts';

let opened: Awaited<ReturnType<typeof openGameStage>>;
before(async () => {
  opened = await openGameStage();
});
after(() => opened.stage.close());

const shots = process.env.SHOTS;

/** Plays a season of a board with 30 players, and ends it. */
async function playSeason(board_name: string): Promise<void> {
  const { send, ask } = opened;
  for (let player = 1; player <= 30; player++) {
    await send('POST', '/v1/leaderboards', { board_name, player_id: `p${player}`, score: player });
  }
  const path = `leaderboards/${board_name}/reset?environment=production`;
  assert.equal((await ask('POST', path)).status, 201);
}

async function untilSent(board_name: string): Promise<void> {
  const { database } = opened.stage.server;
  await waitUntil('the rewards are sent', async () => {
    await database.execute(sql`
      UPDATE leaderboard_reward_runs SET began_at = now() - interval '1 minute'
      WHERE game_id = ${opened.game.game_id} AND board_name = ${board_name} AND state = 'waiting'`);
    await database.transaction((tx) => makeTaskDue(tx, 'giving rewards of seasons'));
    const path = `leaderboards/${board_name}/seasons/1/rewards?environment=production`;
    return (await opened.ask('GET', path)).body.state === 'done';
  });
}

test('a developer rewards the top 10 % of last season, by mouse', async () => {
  const { stage, game, owner, send } = opened;
  await playSeason('races');
  const { page, close } = await stage.visit(gamePath(game, 'leaderboards/races?season=1'), {
    token: owner.token,
  });
  await page.getByRole('button', { name: 'Reward season 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title of the message').fill('You were among the best');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Here are 50 coins.');
  await dialog.getByRole('button', { name: 'Add a gift to reward 1' }).click();
  await dialog.getByLabel('Name of gift 1 of reward 1').fill('coins');
  await dialog.getByLabel('Number of gift 1 of reward 1').fill('50');
  await dialog.getByRole('button', { name: 'Show who gets what' }).click();
  const row = dialog.getByRole('row', { name: /You were among the best/ });
  await row.getByText('1 to 3').waitFor();
  assert.match(await row.innerText(), /p30 \(30\), p29 \(29\), p28 \(28\)/);
  if (shots) await page.screenshot({ path: `${shots}/reward-dialog.png`, fullPage: true });
  await dialog.getByRole('button', { name: 'Reward season 1' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Rewards of season 1').waitFor();
  await untilSent('races');
  await page.getByText('All messages are sent').waitFor();
  await page.getByRole('table', { name: 'Rewards', exact: true }).getByText('Top 10%').waitFor();
  if (shots) await page.screenshot({ path: `${shots}/reward-given.png`, fullPage: true });
  const { messages } = await send('GET', '/v1/messages?player_id=p28');
  assert.equal(messages[0].title, 'You were among the best');
  assert.equal((await send('GET', '/v1/messages?player_id=p27')).messages.length, 0);
  await close();
});

test('a developer sets the rewards of all seasons of a board, by keyboard', async () => {
  const { stage, game, owner, ask } = opened;
  await opened.send('POST', '/v1/leaderboards', {
    board_name: 'keys',
    player_id: 'p1',
    score: 1,
  });
  const { page, close } = await stage.visit(gamePath(game, 'leaderboards/keys'), {
    token: owner.token,
    width: 390,
  });
  const press = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
  };
  await press('Rewards');
  await page.getByRole('dialog').waitFor();
  await opened.ask('POST', 'stats', { key: 'wins', name: 'Wins' });
  await press('Add a reward');
  await page.getByLabel('Title of the message').focus();
  await page.keyboard.type('Champion');
  await page.getByRole('radio', { name: 'Percent' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByLabel('To rank').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('3');
  await press('Add a gift to reward 1');
  await page.getByRole('combobox', { name: 'Kind of gift 1 of reward 1' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Statistic' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name of gift 1 of reward 1').focus();
  await page.keyboard.type('wins');
  await page.getByLabel('Change of gift 1 of reward 1').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('-2.5');
  if (shots) await page.screenshot({ path: `${shots}/reward-phone.png`, fullPage: true });
  await press('Save');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await ask('GET', 'leaderboards/keys?environment=production');
  assert.deepEqual(body.season_rewards, [
    {
      from_rank: 1,
      to_rank: 3,
      title: 'Champion',
      text: '',
      rewards: [{ type: 'stat', key: 'wins', value: -2.5 }],
    },
  ]);
  await close();
});
