import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { gamePath, undo, withoutBrowser } from './browser.ts';
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

  test('a ban from all boards hides them until it ends', async () => {
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

  test('a waiting score is accepted or removed, and a public one is removed', async () => {
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
    await scores.getByRole('button', { name: 'Take off the score on ruled, season 1' }).click();
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
});
