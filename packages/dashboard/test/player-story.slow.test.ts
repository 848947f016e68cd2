import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the story of a player', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let send: GameStage['send'];
  let ask: GameStage['ask'];
  before(async () => {
    ({ stage, game, owner, send, ask } = await openGameStage());
    await stage.server.database.execute(sql`
      UPDATE games SET time_zone = 'Asia/Kathmandu' WHERE id = ${game.game_id}`);
    const track = (session_id: string, event_name: string) =>
      send('POST', '/v1/track', { event_name, session_id, player_id: 'fox' });
    await send('POST', '/v1/identify', { player_id: 'fox', properties: { level: 3 } });
    await track('den', 'wake');
    await send('PUT', '/v1/saves', { player_id: 'fox', data: { gold: 1 } });
    await track('den', 'sleep');
    await track('wood', 'hunt');
    await ask('POST', 'achievements', { key: 'first', name: 'First Steps' });
    await send('POST', '/v1/achievements/unlock', { player_id: 'fox', achievement_key: 'first' });
    await send('POST', '/v1/leaderboards', { board_name: 'race', player_id: 'fox', score: 9 });
    await send('POST', '/v1/identify', { player_id: 'fox', properties: { level: 4 } });
    await ask('PATCH', 'players/fox', { add_tags: ['vip'] });
    await ask('GET', 'players/fox');
  });
  after(() => stage.close());

  test('shows all kinds of entries by session, and keeps the chosen filters in the URL', async () => {
    const path = gamePath(game, 'players/fox?tab=timeline');
    const { page, close } = await stage.visit(path, { token: owner.token });
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const titles = async () =>
      (await timeline.locator('summary').allInnerTexts()).map((text) => text.split('\n')[1]!);
    await until('all kinds', async () => (await titles()).length === 8);
    assert.deepEqual((await titles()).toSorted(), [
      '9 on race',
      'Changed a player',
      'Saved version 1',
      'Unlocked First Steps',
      'hunt',
      'level 3 → 4',
      'sleep',
      'wake',
    ]);
    await page.getByText('Times in Asia/Kathmandu').first().waitFor();
    const kinds = page.getByRole('group', { name: 'Kinds' });
    for (const name of ['Events 3', 'Saves 1', 'Logins 0', 'Edits by staff 1']) {
      await kinds.getByRole('checkbox', { name, exact: true }).waitFor({ state: 'attached' });
    }
    const [received] = (await ask('GET', 'events?event_name=hunt')).body.events;
    const clock = new Date(Date.parse(received.received_at) + 345 * 60_000).toISOString();
    await timeline.locator('summary', { hasText: 'hunt' }).getByText(clock.slice(11, 19)).waitFor();

    await page.getByRole('group', { name: 'Kinds' }).getByText('Changes by the game').click();
    await until('one kind', async () => (await titles()).join() === 'level 3 → 4');
    // All clicks come before the page renders again.
    await page.evaluate(`
      for (const name of ['Changes by the game', 'Saves', 'Scores']) {
        const labels = document.querySelectorAll('[role=group][aria-label^=Kinds] label');
        [...labels].find((label) => label.innerText.startsWith(name)).click();
      }`);
    await until('two kinds', async () => (await titles()).join() === '9 on race,Saved version 1');
    await page.reload();
    await until('the same after a reload', async () => (await titles()).length === 2);
    await timeline.locator('summary', { hasText: 'Saved version 1' }).click();
    await page.getByRole('link', { name: 'Show this version' }).click();
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();
    await page.goBack();

    const day = page.getByLabel('Jump to a day');
    await day.fill('2020-01-31');
    await day.press('Enter');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await until('all again', async () => (await titles()).length === 8);

    const event = page.getByRole('combobox', { name: 'Event name' });
    await event.click();
    await page.getByRole('option', { name: 'hunt' }).click();
    await until('one event', async () => (await titles()).join() === 'hunt');
    await page.getByRole('group', { name: 'Kinds' }).getByText('Saves').click();
    await until('beside the saves', async () =>
      (await titles()).toSorted().join().startsWith('Saved version 1,hunt'),
    );
    await page.reload();
    await until('after a reload', async () => (await titles()).length === 2);
    await event.fill('wake');
    await event.press('Enter');
    await until('another event', async () => (await titles()).includes('wake'));
    await page.goto(path);
    await until('all without a choice', async () => (await titles()).length === 8);

    await page.getByRole('link', { name: 'den' }).click();
    await until('the session alone', async () => {
      const shown = await titles();
      return shown.includes('wake') && shown.includes('Saved version 1') && !shown.includes('hunt');
    });
    await page.reload();
    await page.getByText('Only session').waitFor();
    await page.getByRole('button', { name: 'Show the day around it' }).click();
    await until('the day', async () => (await titles()).length === 8);
    assert.match(page.url(), /day=\d{4}-\d\d-\d\d/);
    await close();
  });

  test('a viewer sees neither edits by staff nor a filter for such edits', async () => {
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const path = gamePath(game, 'players/fox?tab=timeline');
    const { page, close } = await stage.visit(path, { token });
    await page.locator('summary', { hasText: 'hunt' }).waitFor();
    assert.equal(await page.getByText('Changed a player').count(), 0);
    assert.equal(await page.getByRole('checkbox', { name: 'Edits by staff' }).count(), 0);
    await close();
  });
});
