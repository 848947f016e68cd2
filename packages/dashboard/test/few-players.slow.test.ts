import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitForIngest } from '../../server/test/inbox.ts';
import { gamePath, go, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const DAY_MS = 86_400_000;
const STEPS = JSON.stringify([{ event_name: 'open' }, { event_name: 'buy' }]);
const SPLIT = 'split_by=property%3Acountry';
/** The pages that show shares, each as a chart and as tables. */
const PAGES = [
  ['overview?figure=players', null],
  [`active-players?figure=stickiness&table=players&${SPLIT}`, 'Active players'],
  [`retention?table=curve&${SPLIT}`, 'Retention'],
  [`sessions?table=lengths&${SPLIT}`, 'Sessions'],
  ['events?tab=counts', 'Events'],
  ['events?tab=quality', 'Events'],
  [`funnels?steps=${encodeURIComponent(STEPS)}&${SPLIT}`, 'Funnels'],
  [`funnels?steps=${encodeURIComponent(STEPS)}&table=steps`, 'Funnels'],
  [`breakdown?event_name=buy&group_by=item`, 'Breakdown'],
  [`revenue?table=conversion&figure=paying_share&${SPLIT}`, 'Revenue'],
  ['revenue', 'Revenue'],
  [`paths?event_name=open&table=paths&${SPLIT}`, 'Paths'],
  ['achievements', 'Achievements'],
  ['player-verification', 'Player verification'],
] as const;

describe('a game with three players', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    const { ask, send, stage, game } = opened;
    const purchase = { event_name: 'buy', amount_property: 'price', currency: 'EUR' };
    assert.equal((await ask('PUT', 'revenue-settings', purchase)).status, 200);
    const achievement = { key: 'first', name: 'First', description: '', points: 10 };
    assert.equal((await ask('POST', 'achievements', achievement)).status, 201);
    for (const player of [0, 1, 2]) {
      const player_id = `p${player}`;
      await send('POST', '/v1/identify', { player_id, properties: { country: `C${player % 2}` } });
      if (player < 2) {
        await send('POST', '/v1/achievements/unlock', { player_id, achievement_key: 'first' });
      }
      for (const days of [3, 2, 1, 0].slice(player)) {
        const at = new Date(Date.now() - days * DAY_MS - 1_000).toISOString();
        const of = { session_id: `${player} ${days}`, player_id, client_timestamp: at };
        const properties = { price: 2, item: `item ${player}` };
        await send('POST', '/v1/track', [
          { ...of, event_name: 'open' },
          ...(player < 2 ? [{ ...of, event_name: 'buy', properties }] : []),
        ]);
      }
    }
    await waitForIngest(stage.server.database, game.game_id);
  });
  after(() => opened.stage.close());

  test('has no percentage on any page of reports, because it would say nothing', async () => {
    const { stage, game, owner } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'settings'), { token: owner.token });
    for (const [path, heading] of PAGES) {
      await go(page, gamePath(game, path), heading ?? undefined);
      const words = await page.locator('main').innerText();
      // The axis of a chart of shares, and the used part of a quota, stay percentages.
      const told = words
        .split('\n')
        .filter(
          (line) =>
            /\d%/.test(line) &&
            !/^\d+%$/.test(line) &&
            !/events? this month|of [\d,]+ events/.test(line),
        );
      assert.deepEqual(told, [], path);
    }
    await go(page, gamePath(game, PAGES[6][0]), 'Funnels');
    await page.getByRole('heading', { name: '2 of 3 took all 2 steps' }).waitFor();
    await close();
  });
});
