import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFullGame } from '../../server/test/full-game.ts';
import type { FullGame } from '../../server/test/full-game.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

/** These tests open every page of a game in which every name and text is HTML. */

const HOSTILE = '"><img src=/owned onerror=alert(1)>';

/** Matches elements that exist only if a page has interpreted a name as HTML. */
const INJECTED =
  'img[src*="owned"]:not([src^="https://icons.example/"]), [onerror], script:not([src]), iframe, object, embed, a[href^="javascript:"]';

describe('HTML in names and texts', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: FullGame;
  before(async () => {
    stage = await openStage();
    game = await makeFullGame(stage.server, { marker: HOSTILE, prefix: HOSTILE });
  });
  after(() => stage.close());

  test('is shown as text on every page', async () => {
    const player = `players/${encodeURIComponent(game.params.player_id!)}`;
    const board = `leaderboards/${encodeURIComponent(game.params.board_name!)}`;
    const plain = [
      'overview start players events events?tab=counts event-schemas events?tab=quality',
      'achievements stats leaderboards config config?tab=scheduled config?tab=history api-keys access-tokens members usage audit-log settings',
    ].flatMap((names) => names.split(' '));
    const tabs = ['timeline', 'save', 'achievements', 'stats', 'scores'].map(
      (tab) => `${player}?tab=${tab}`,
    );
    const pages = [...plain, board, player, ...tabs];
    const administrator = await stage.server.makeAccount({ is_administrator: true });
    const { page, close } = await stage.visit(gamePath(game, 'overview'), {
      token: administrator.token,
      // Icons of achievements may come from any host that the studio chooses. This host does not exist, so
      // the icon cannot be loaded.
      expected: /icons\.example|Failed to load resource/,
    });
    const paths = [...pages.map((name) => gamePath(game, name)), '/admin', '/account'];
    const showing: string[] = [];
    for (const path of paths) {
      await go(page, path);
      await until(`${path} says something`, async () =>
        page.evaluate<boolean>(`document.querySelector('main').innerText.length > 20`),
      );
      assert.equal(await page.locator(INJECTED).count(), 0, path);
      assert.match(await page.title(), / · Overworld$/, path);
      if ((await page.locator('body').innerText()).includes(HOSTILE)) showing.push(path);
    }
    assert.ok(showing.length > 0.7 * paths.length, `it shows on ${showing.join(', ')}`);
    await close();
  });
});

test('no source file of the dashboard inserts text as HTML or runs text as code', () => {
  const folder = fileURLToPath(new URL('../src', import.meta.url));
  const files = globSync('**/*.{ts,tsx}', { cwd: folder });
  assert.ok(files.length > 50);
  for (const file of files) {
    const source = readFileSync(`${folder}/${file}`, 'utf8');
    const found =
      /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function/.exec(
        source,
      );
    assert.equal(found?.[0], undefined, file);
  }
});
