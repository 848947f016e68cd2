import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gamePath, go, withoutBrowser } from './browser.ts';
import { openHostileStage } from './hostile-game.ts';
import type { HostileStage } from './hostile-game.ts';
import { GAME_PAGES } from './hostile-pages.ts';

const run = promisify(execFile);

/** The pages with charts and tables of reports. */
const REPORTS =
  /^(overview|events\?tab=(counts|quality)|active-players|retention|funnels|paths|progression|breakdown|metrics|sessions|lifetime-value|revenue|segments)\b/;
const PAGES = GAME_PAGES.filter(([path]) => REPORTS.test(path) && !/[?&]table=/.test(path));

describe('"Use outside" of every report', { skip: withoutBrowser }, () => {
  let hostile: HostileStage;
  before(async () => {
    hostile = await openHostileStage();
  });
  after(() => hostile.stage.close());

  test('the pasted lines read the report of each page with the token that it asks for', async () => {
    const { stage, game, owner } = hostile;
    const tokens = new Map<string, string>();
    for (const [name, role] of [
      ['“Reports only”', 'reports'],
      ['“Viewer”', 'viewer'],
    ] as const) {
      const made = await stage.server.makeAccessToken(owner.account_id, [game.game_id], role);
      tokens.set(name, made.token);
    }
    const { page, close } = await stage.visit(gamePath(game, 'overview'), { token: owner.token });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const read: string[] = [];
    for (const [path, heading] of PAGES) {
      await go(page, gamePath(game, path), heading);
      const buttons = page.getByRole('main').getByRole('button', { name: 'Use outside' });
      await buttons.first().waitFor();
      for (const button of await buttons.all()) {
        await button.click();
        const dialog = page.getByRole('dialog');
        const link = await dialog.getByRole('link', { name: 'Make a token' }).innerText();
        const OVERWORLD_TOKEN = tokens.get(/“.+”/.exec(link)![0])!;
        const codeOf = async (name: string) =>
          (await dialog.getByRole('region', { name, exact: true }).textContent())!;
        const env = { ...process.env, OVERWORLD_TOKEN };
        const curl = await run('sh', ['-c', `${await codeOf('curl')} -sS -w '%{http_code}'`], {
          env,
        });
        assert.match(curl.stdout, /200$/, `${path}: ${curl.stdout.slice(0, 500)}`);
        const javascript = await codeOf('JavaScript');
        const node = await run(process.execPath, ['--input-type=module', '-e', javascript], {
          env,
        });
        assert.match(node.stdout, /^\{/);
        assert.doesNotMatch(node.stdout, /^ {2}error:/m);
        read.push(path.split('?')[0]!);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
      }
    }
    assert.equal(new Set(read).size, 13, [...new Set(read)].join());
    await close();
  });
});
