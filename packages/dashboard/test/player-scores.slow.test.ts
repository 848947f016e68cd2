import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, go, undo, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the scores of a player', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let ask: GameStage['ask'];
  before(async () => {
    ({ stage, game, owner, ask } = await openGameStage());
    await ask('PUT', 'leaderboards/ruled', { max_gain: 10, on_violation: 'quarantine' });
  });
  after(() => stage.close());

  const submit = (player_id: string, board_name: string, score: number) =>
    stage.server.request('POST', '/v1/leaderboards', {
      key: game.production_key,
      body: { player_id, board_name, score },
    });

  test('a ban from all boards hides the player’s scores until it ends', async () => {
    await submit('fox', 'race', 70);
    const path = gamePath(game, 'players/fox?tab=scores');
    const { page, close } = await stage.visit(path, { token: owner.token });
    const scores = page.getByRole('region', { name: 'Scores', exact: true });
    await scores.getByRole('link', { name: 'race' }).waitFor();
    await page.getByRole('button', { name: 'Ban from boards' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: 'All boards' }).click();
    await dialog.getByLabel('Reason').fill('Impossible times');
    await dialog.getByRole('button', { name: 'Ban player' }).click();
    const bans = page.getByRole('region', { name: 'Bans' });
    await bans.getByText('All boards').waitFor();
    await bans.getByText('Impossible times').waitFor();
    await page.getByText('No scores yet').waitFor();
    const refused = await submit('fox', 'race', 80);
    assert.deepEqual([refused.status, refused.body.code], [403, 'PLAYER_BANNED']);
    await bans.getByRole('button', { name: 'End the ban from All boards' }).click();
    await scores.getByRole('link', { name: 'race' }).waitFor();
    assert.equal((await submit('fox', 'race', 80)).status, 200);
    await close();
  });

  test('a waiting score can be accepted or removed, and a public score can be removed', async () => {
    for (const score of [5, 900]) await submit('owl', 'ruled', score);
    const path = gamePath(game, 'players/owl?tab=scores');
    const { page, close } = await stage.visit(path, { token: owner.token });
    const waiting = page.getByRole('region', { name: 'Scores that wait' });
    const scores = page.getByRole('region', { name: 'Scores', exact: true });
    await waiting.getByText('Gains too much at once').waitFor();
    await scores.getByText('5', { exact: true }).waitFor();
    await waiting.getByRole('button', { name: 'Accept 900 on ruled' }).click();
    await scores.getByText('900', { exact: true }).waitFor();
    await waiting.waitFor({ state: 'hidden' });
    await undo(page, '900 accepted');
    await waiting.getByRole('button', { name: 'Remove 900 on ruled' }).click();
    await waiting.waitFor({ state: 'hidden' });
    await scores.getByText('5', { exact: true }).waitFor();
    await scores.getByRole('button', { name: 'Actions for the score on ruled, season 1' }).click();
    await page.getByRole('menuitem', { name: 'Take off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'It is removed' }).check();
    await dialog.getByRole('button', { name: 'Take off the board' }).click();
    await page.getByText('No scores yet').waitFor();
    const board = await stage.server.request('GET', '/v1/leaderboards/ruled', {
      key: game.production_key,
    });
    assert.deepEqual(board.body.entries, []);
    await close();
  });

  test('by keyboard only, a public score is moved to the waiting scores with a reason, and is restored', async () => {
    for (const player_id of ['elk', 'ewe']) await submit(player_id, 'marsh', 7);
    const path = gamePath(game, 'leaderboards/marsh');
    const { page, close } = await stage.visit(path, { token: owner.token });
    const entries = page.getByRole('region', { name: 'Entries' });
    const menu = entries.getByRole('button', { name: 'Actions for elk' });
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Take off' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'It waits for a decision', checked: true }).waitFor();
    await dialog.getByLabel('Reason').fill('Wall hack');
    await page.keyboard.press('Enter');
    const message = page.getByRole('alert').filter({ hasText: 'elk’s 7 taken off for now' });
    await message.getByRole('button', { name: 'Undo' }).waitFor();
    await menu.waitFor({ state: 'detached' });
    const publicIds = async () => {
      const key = game.production_key;
      const { body } = await stage.server.request('GET', '/v1/leaderboards/marsh', { key });
      return body.entries.map(({ player_id }: { player_id: string }) => player_id);
    };
    assert.deepEqual(await publicIds(), ['ewe']);
    await page.getByRole('tab', { name: 'Waiting 1' }).press('Enter');
    await page.getByText('Taken off by hand').waitFor();
    await page.getByText('Wall hack').waitFor();
    await page.getByRole('tab', { name: 'Decisions' }).press('Enter');
    await page.getByRole('button', { name: 'Undo: elk’s 7 taken off for now' }).press('Enter');
    await page.getByText('The decision is undone').waitFor();
    assert.deepEqual(await publicIds(), ['elk', 'ewe']);
    await go(page, gamePath(game, 'players/elk?tab=timeline'), 'elk');
    await page.getByText('score: 7 · reason: Wall hack').waitFor();
    await go(page, gamePath(game, 'audit-log'), 'Audit log');
    await page.getByText('scores: elk 7').waitFor();
    await close();
  });

  test('a viewer sees bans and scores, but no buttons', async () => {
    await submit('hen', 'race', 3);
    await ask('POST', 'players/hen/leaderboard-bans', { board_name: 'other', reason: 'Spam' }).then(
      ({ status }) => assert.equal(status, 404),
    );
    await submit('hen', 'pond', 3);
    await ask('POST', 'players/hen/leaderboard-bans', { board_name: 'pond', reason: 'Spam' });
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const { page, close } = await stage.visit(gamePath(game, 'players/hen?tab=scores'), { token });
    await page.getByRole('region', { name: 'Bans' }).getByText('pond').waitFor();
    await page.getByRole('link', { name: 'race' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /Ban|ban|Actions for/ }).count(), 0);
    await close();
  });
});
