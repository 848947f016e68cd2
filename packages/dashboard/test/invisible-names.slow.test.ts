import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { waitForIngest } from '../../server/test/inbox.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const HIDDEN = '\u200b';
const WORDS = '(no visible name: U+200B)';

describe('names that nobody can see, from earlier or from events', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  const visit = (path: string) =>
    opened.stage.visit(gamePath(opened.game, path), { token: opened.owner.token });

  before(async () => {
    opened = await openGameStage();
    const { game, send, stage } = opened;
    await send('POST', '/v1/track', {
      event_name: HIDDEN,
      session_id: 's',
      player_id: HIDDEN,
    });
    await send('POST', '/v1/leaderboards', { board_name: 'weekly', player_id: 'p', score: 1 });
    await send('POST', '/v1/leaderboards', {
      board_name: `weekly${HIDDEN}`,
      player_id: 'p',
      score: 2,
    });
    await stage.server.database.ofGame(game.game_id).execute(sql`
      INSERT INTO leaderboards (game_id, board_name) VALUES (${game.game_id}, ${HIDDEN})`);
    await waitForIngest(stage.server.database.ofGame(game.game_id), game.game_id);
  });
  after(() => opened.stage.close());

  test('a board is opened by its row, and boards of one look are told apart', async () => {
    const { page, close } = await visit('leaderboards');
    await page.getByRole('link', { name: 'weekly⟨U+200B⟩', exact: true }).waitFor();
    await page.getByRole('link', { name: 'weekly', exact: true }).waitFor();
    await page.getByRole('link', { name: WORDS }).click();
    await page.getByRole('heading', { level: 1, name: WORDS }).waitFor();
    assert.match(page.url(), /leaderboards\/%E2%80%8B/);
    assert.ok((await page.title()).startsWith(WORDS));
    await close();
  });

  test('a player is opened from the list, and the event shows its stand-in', async () => {
    const { page, close } = await visit('players');
    await page.getByRole('link', { name: WORDS }).click();
    await page.getByRole('heading', { level: 1, name: WORDS }).waitFor();
    await page.goto(`${opened.stage.server.url}${gamePath(opened.game, 'events')}`);
    await page.getByText(WORDS).first().waitFor();
    await close();
  });
});
