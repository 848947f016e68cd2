import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the kinds of problems of events', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame({ event_validation: 'reject' });
    owner = await stage.server.makeAccount({ game_id: game.game_id });
  });
  after(() => stage.close());

  const track = (properties: object) =>
    stage.server.request('POST', '/v1/track', {
      key: game.production_key,
      body: { event_name: 'level_complete', session_id: 's', player_id: 'ada', properties },
    });

  test('two steps lead from Overview to the field that breaks its schema', async () => {
    const empty = await stage.visit(gamePath(game, 'events?tab=quality'), owner);
    await empty.page.getByText('Nothing was refused').waitFor();
    const schema = { type: 'object', properties: { level: { type: 'integer' } } };
    await stage.server.request('PUT', `/v1/games/${game.game_id}/event-schemas/level_complete`, {
      token: owner.token,
      body: { schema },
    });
    for (let level = 1; level <= 20; level++) await track({ level });
    for (let number = 0; number < 6; number++) {
      assert.equal((await track({ level: 'seven' })).status, 400);
    }

    const { page } = await stage.visit(gamePath(game, 'overview'), owner);
    const news = page.getByRole('alert').filter({ hasText: 'were refused' });
    await news.getByRole('link').first().click();
    const row = page.getByRole('row', {
      name: /level_complete.*properties\.level must be a whole/,
    });
    await row.waitFor();
    assert.match(await row.innerText(), /\b6\b/);
    await row.getByRole('button', { name: /^Show properties\.level/ }).click();
    const dialog = page.getByRole('dialog', { name: 'What is wrong' });
    await dialog.getByText('"level": "seven"').waitFor();
    await dialog.getByText('made their requests be refused').waitFor();
    await dialog.getByRole('link', { name: 'ada' }).waitFor();
    await dialog.getByRole('link', { name: 'Event schemas' }).waitFor();
  });
});
