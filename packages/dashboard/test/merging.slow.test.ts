import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import { findViolations, loadAxe } from './axe.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('merging two players in the dashboard', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let send: GameStage['send'];
  before(async () => {
    ({ stage, game, owner, send } = await openGameStage());
    for (const [player_id, score] of [
      ['ada', 10],
      ['guest-7', 30],
    ] as const) {
      await send('POST', '/v1/identify', { player_id, properties: { [`of ${player_id}`]: 1 } });
      await send('PUT', '/v1/saves', { player_id, data: { score } });
      await send('POST', '/v1/leaderboards', { player_id, board_name: 'weekly', score });
      await send('POST', '/v1/track', { event_name: 'e', session_id: player_id, player_id });
    }
  });
  after(() => stage.close());

  const listPlayers = async () => {
    const rows = await stage.server.database.query<{ player_id: string }>(sql`
      SELECT player_id FROM players WHERE game_id = ${game.game_id} ORDER BY player_id`);
    return rows.map(({ player_id }) => player_id);
  };

  test('a merge shows a preview, asks for the id of the player who disappears, and then lists the merged player', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'players/ada'), {
      token: owner.token,
      // The server does not know the id `nobody` and, after the merge, the id of the merged player.
      expected: /404/,
    });
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Merge with another player…' }).click();
    const dialog = page.getByRole('dialog');
    const other = dialog.getByRole('combobox', { name: 'The other player, who ends' });
    await other.fill('ada');
    await dialog.getByText('Choose another player than this one').waitFor();
    await other.fill('nobody');
    await other.press('Tab');
    await dialog.getByText('No player has this id').waitFor();
    await other.fill('gue');
    await page.getByRole('option', { name: 'guest-7' }).click();
    const preview = dialog.getByRole('group', { name: 'Preview of the merge' });
    await preview.getByText('main keeps the other player’s').waitFor();
    await dialog.getByText('this player’s', { exact: true }).click();
    await preview.getByText('main keeps this player’s').waitFor();
    await preview.getByText('weekly, season 1, keeps the other player’s (30)').waitFor();
    await loadAxe(page);
    assert.deepEqual(await findViolations(page, '[role=dialog]'), []);
    assert.deepEqual(await listPlayers(), ['ada', 'guest-7']);

    const confirm = dialog.getByRole('button', { name: 'Merge players permanently' });
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByRole('textbox', { name: 'Type guest-7 to confirm' }).fill('guest-7');
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    const merged = page.getByRole('region', { name: 'Merged players' });
    await merged.getByRole('cell', { name: 'guest-7' }).waitFor();
    await merged.getByText('1 moved').waitFor();
    await until('one player', async () => (await listPlayers()).join() === 'ada');
    await close();
  });
});
