import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeFullGame } from '../../server/test/full-game.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { readOffers } from './offers.ts';

/** Matches the names of controls that change nothing: they ask, show, copy or download. */
const LOOKS =
  /^(|Copy .*|Download .*\.csv|Table|Use outside|Saved|a report|API key|Show .*|Compact|Roomy|\d+ days|Today|Custom|By (hour|day|week)|.* (Average|so far|until \S+) .*|Annotations|List annotations|[A-Z][a-z]{2} \d+: .*|Filter players|Split|Compare with the period before)$/;
/** Matches the names of further controls that change nothing, by page. */
const LOOKS_OF: Record<string, RegExp> = {
  players: /^(Search by name or id|Origin|Tags|Add condition|Columns|X property|Export CSV)$/,
  'players/a player':
    /^(Version \d .*|a event|(Events|Saves|Achievements|Messages|Scores|Logins|Changes by the game) \d+|Purchases|Event name|Jump to a day|Statistic of the chart|Time zone)$/,
  'leaderboards/a board': /^(Find a player|Season)$/,
  events: /^(Live|Player id|Event name|a event)$/,
  retention: /^(Players|Percent)$/,
  funnels:
    /^(Event of step \d|Add condition|Add step|Move step \d (up|down)|Within|Broken down by)$/,
  progression:
    /^(Starts with|Fails with|Is completed with|Named by|Show|Add condition|Previous steps|Next steps)$/,
  breakdown: /^(Event|Show|Show up to \d+|Numbers of|Broken down by|Add condition)$/,
  metrics: /^Metric$/,
  paths:
    /^(After|Before|Event|Within|Steps|Events at each step|Leave out|Count an event again when it repeats)$/,
  sessions: /^(under|over|\d+).* \d+$/,
  revenue: /^Settings$/,
  alerts: /^(Actions for .*|History)$/,
  releases: /^(In use|All, also rare and hidden)$/,
  segments: /^(Have all of these tags|Add condition|Add event)$/,
  messages: /^(All|To many|To one player|(Read|Claimed) \d+: players of .*)$/,
  config: /^(Player id|Preview|Who would get what\?)$/,
  members: /^Leave$/,
  // A token with the rights of the viewer.
  'access-tokens': /^New token$/,
};

describe('every page for a viewer', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  test('a viewer is offered no control that changes anything', async () => {
    const full = await makeFullGame(stage.server, { marker: 'X' });
    const { token } = await stage.server.makeAccount({ game_id: full.game_id, role: 'viewer' });
    const { page, close } = await stage.visit(gamePath(full, 'start'), {
      token,
      // The icon of an achievement has an address that the studio chooses. Here, loading it fails.
      expected: /icons\.example|Failed to load resource/,
    });
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await page.getByRole('heading', { name: 'Connect X game' }).waitFor();
    let text = '';
    const refused = new Set<string>();
    const look = async () => {
      const place = decodeURIComponent(page.url()).split(/\/production\/|\?/)[1];
      const offers = await readOffers(page);
      text += offers.text;
      for (const name of offers.onPage) {
        if (!LOOKS.test(name) && !LOOKS_OF[place!]?.test(name)) refused.add(`${place}: ${name}`);
      }
      for (const name of offers.inDialogs) {
        if (!/^(|Close|Copy .*|Who would get what\?)$/.test(name)) {
          refused.add(`${place}, dialog: ${name}`);
        }
      }
    };
    await look();
    for (const link of await links.all()) {
      const last_title = await page.title();
      await link.click();
      await until('another page is there', async () => (await page.title()) !== last_title);
      await look();
    }
    for (const [path, heading] of [
      ['breakdown?event_name=X+event', 'Breakdown'],
      ['leaderboards/a%20board', 'a board'],
      ['players/a%20player', 'a player'],
    ] as const) {
      await go(page, gamePath(full, path), heading);
      await look();
    }
    assert.deepEqual([...refused], [], 'add those that change nothing to LOOKS_OF of the page');
    // The test proves nothing about controls whose items are not shown. So it checks that the pages showed
    // items of each kind.
    const parts = 'a tag,X name,X nick,X metadata,X property,X save,X key,shop,a event';
    for (const part of parts.split(',')) assert.ok(text.includes(part), part);
    await close();
  });
});
