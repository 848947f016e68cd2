import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gamePath, go, until } from './browser.ts';
import { openGameStage } from './game-stage.ts';

let opened: Awaited<ReturnType<typeof openGameStage>>;
before(async () => {
  opened = await openGameStage();
});
after(() => opened.stage.close());

test('an owner sets rules, accepts a quarantined score, undoes that decision, and bans the player', async () => {
  const { stage, game, owner, send } = opened;
  const submit = (player_id: string, score: number) =>
    send('POST', '/v1/leaderboards', { board_name: 'races', player_id, score });
  await submit('fair', 50);
  await submit('swift', 40);

  const { page, close } = await stage.visit(gamePath(game, 'leaderboards/races'), {
    token: owner.token,
  });
  await page.getByRole('button', { name: 'Rules' }).click();
  await page.getByLabel('Greatest gain a submit').fill('100');
  await page.getByRole('combobox', { name: 'A score that breaks a rule' }).click();
  await page.getByRole('option', { name: /Waits for your decision/ }).click();
  await page.getByRole('switch', { name: 'Keep a ledger' }).click({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const score of [45, 9_000]) await submit('swift', score);

  await page.getByRole('link', { name: 'Leaderboards' }).first().click();
  await page.getByRole('link', { name: '1 waiting score on races' }).click();
  await page.getByRole('tab', { name: 'Waiting 1', selected: true }).waitFor();
  await page.getByRole('link', { name: 'swift' }).waitFor();
  await page.getByText('Gains too much at once').waitFor();
  await page.getByRole('button', { name: 'Accept all' }).click();
  await page.getByText('Nothing waits').waitFor();
  const offer = page.getByRole('alert').filter({ hasText: 'swift’s 9,000 accepted' });
  await offer.getByRole('button', { name: 'Undo' }).waitFor();
  await page.getByRole('tab', { name: 'Decisions' }).click();
  await page.getByRole('button', { name: 'Undo: swift’s 9,000 accepted' }).click();
  await page.getByText('The decision is undone').waitFor();
  // If nothing hides the message, it stays for ten seconds.
  await offer.waitFor({ state: 'detached', timeout: 3_000 });
  await page.getByRole('tab', { name: 'Waiting 1' }).click();
  await page.getByRole('link', { name: 'swift' }).click();

  await page.getByRole('cell', { name: 'Held back' }).waitFor();
  const chart = page.getByRole('group', { name: 'Scores of the player over time' });
  await chart.press('ArrowLeft');
  assert.match(await chart.getByRole('status').innerText(), /9,000[^]*Gains too much at once/);
  await page.getByRole('button', { name: 'Ban player' }).click();
  await page.getByLabel('Reason').fill('Impossible');
  await page.getByRole('dialog').getByRole('button', { name: 'Ban player' }).click();
  await page.getByText('This player is banned from races.').waitFor();
  await page.getByRole('link', { name: 'races', exact: true }).click();
  await page.getByRole('heading', { name: 'races', level: 1 }).waitFor();
  const board = await send('GET', '/v1/leaderboards/races', undefined);
  assert.deepEqual(
    (board as { entries: { player_id: string }[] }).entries.map(({ player_id }) => player_id),
    ['fair'],
  );
  await close();
});

test('before a rule is switched on, its form names the scores and players that it would have stopped', async () => {
  const { stage, game, owner, send } = opened;
  const path = gamePath(game, 'leaderboards/trials');
  const settings = { keeps_ledger: true };
  const put = await stage.server.request('PUT', `/v1/games/${game.game_id}/leaderboards/trials`, {
    token: owner.token,
    body: settings,
  });
  assert.equal(put.status, 200, put.text);
  for (const [player_id, score] of [
    ['lynx', 10],
    ['lynx', 9_000],
    ['hare', 20],
  ]) {
    await send('POST', '/v1/leaderboards', { board_name: 'trials', player_id, score });
  }
  const { page, close } = await stage.visit(path, { token: owner.token });
  await page.getByRole('button', { name: 'Rules' }).press('Enter');
  await page.getByText('Change a rule to see which scores').waitFor();
  await page.getByLabel('Greatest gain a submit').fill('100');
  const trial = page.getByRole('dialog').getByRole('status');
  await trial.getByText(/Rule max_gain would have refused 1 of 3 submits/).waitFor();
  await trial.getByText('That is 1 of 2 players.').waitFor();
  await trial.getByText('Score 9,000, after 10').waitFor();
  await page.getByLabel('Greatest gain a submit').fill('10000');
  await trial.getByText(/would have refused 0 of 3 submits/).waitFor();
  await page.getByLabel('Greatest gain a submit').fill('100');
  await trial.getByRole('link', { name: 'lynx' }).click();
  await page.getByRole('tab', { name: 'Scores', selected: true }).waitFor();
  await page.getByRole('heading', { name: 'lynx', level: 1 }).waitFor();
  await close();
});

test('a phone shows the buttons of rows, and all tabs in one line, scrolled to the open tab', async () => {
  const { stage, game, owner, send } = opened;
  await send('POST', '/v1/identify', { player_id: 'on a phone', properties: {} });
  const { page, close } = await stage.visit(gamePath(game, 'api-keys'), {
    token: owner.token,
    width: 390,
  });
  const rotate = page.getByRole('button', { name: 'Rotate test' }).first();
  await rotate.waitFor();
  const assertInSight = (box: { x: number; width: number } | null) =>
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  assertInSight(await rotate.boundingBox());
  assertInSight(await page.getByRole('button', { name: 'Revoke test' }).first().boundingBox());
  await go(page, gamePath(game, 'players/on%20a%20phone'), 'on a phone');
  const places = async () =>
    Promise.all((await page.getByRole('tab').all()).map((tab) => tab.boundingBox()));
  assert.equal(new Set((await places()).map((box) => box!.y)).size, 1);
  const last = page.getByRole('tab', { name: 'Logins' });
  await page.getByRole('tab', { name: 'Overview' }).press('ArrowLeft');
  await until('the last tab is in sight', async () => {
    const box = await last.boundingBox();
    return box!.x >= 0 && box!.x + box!.width <= 390;
  });
  await page.getByRole('tab', { name: 'Logins', selected: true }).waitFor();
  await close();
});
