import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeFullGame } from '../../server/test/full-game.ts';
import type { FullGame } from '../../server/test/full-game.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import type { Theme } from './axe.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { findHiddenSubmits, loadPhoneQuestions } from './phone.ts';

const POPUPS = ['dialog', 'menu', 'listbox'] as const;

/**
 * The controls of each page that open something, given by the beginnings of their names. `A > B` is the item
 * B in the menu A.
 */
const OPENERS: [page: string, heading: string, controls: string[]][] = [
  ['overview', 'm game', ['Game: m game', 'Search', 'Account']],
  ['dashboards', 'Dashboards', ['New dashboard']],
  ['active-players', 'Active players', ['Pin']],
  ['players', 'Players', ['Columns', 'Add condition']],
  ['players/a%20player', 'a player', ['Actions', 'Actions > Send', 'Actions > Delete']],
  ['players/a%20player?tab=save', 'a player', ['Edit']],
  ['players/a%20player?tab=timeline', 'a player', ['Time zone']],
  ['players/a%20player?tab=stats', 'a player', ['Statistic of the chart', 'Set value of']],
  ['stats', 'Statistics', ['New statistic', 'Actions for', 'Actions for > Delete']],
  ['events', 'Events', ['a event']],
  ['events?tab=quality', 'Events', ['Show m problem']],
  ['event-schemas', 'Event schemas', ['New schema', 'Edit a event', 'Delete a event']],
  ['achievements', 'Achievements', ['New achievement', 'Actions for', 'Actions for > Delete']],
  [
    'messages',
    'Messages',
    ['Send a message', 'Claimed', 'Actions for', 'Actions for m title > Recall'],
  ],
  ['leaderboards', 'Leaderboards', ['New leaderboard']],
  [
    'leaderboards/a%20board',
    'a board',
    [
      'Season',
      'Settings',
      'Rules',
      'Actions',
      'Actions > Begin',
      'Actions > Delete',
      'Actions for',
      'Actions for > Take off',
    ],
  ],
  ['config', 'Remote config', ['Copy to', 'New parameter', 'Edit', 'Delete']],
  ['config?tab=history', 'Remote config', ['Show version', 'Restore version']],
  ['config?tab=scheduled', 'Remote config', ['Schedule a change', 'Edit', 'Cancel']],
  ['experiments/new', 'New experiment', ['Parameters', 'Kind', 'Add condition']],
  ['api-keys', 'API Keys', ['New key', 'Rotate', 'Revoke']],
  ['access-tokens', 'Access tokens', ['New token', 'Revoke']],
  ['player-login', 'Player login', ['New provider', 'Delete']],
  [
    'alerts',
    'Alerts',
    ['Copy to', 'New alert', 'Actions', 'Actions > Edit', 'Actions > Hist', 'Actions > Del'],
  ],
  ['webhooks', 'Webhooks', ['New webhook']],
  ['members', 'Members', ['Invite', 'Role of', 'Remove']],
  ['settings', 'Settings', ['Delete game']],
  ['breakdown', 'Breakdown', ['Saved']],
  ['/account', 'Your account', ['Set up']],
  ['/admin', 'Administration', ['State', 'Limit of games', 'Lock']],
  ['/admin?tab=games', 'Administration', ['Tier of', 'Limits of']],
];

describe('everything that opens', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: FullGame;
  let token: string;
  before(async () => {
    stage = await openStage();
    game = await makeFullGame(stage.server, { marker: 'm' });
    const owner = { game_id: game.game_id, is_administrator: true };
    token = (await stage.server.makeAccount(owner)).token;
  });
  after(() => stage.close());

  test('has no accessibility violation in either theme, and its buttons in view on a phone', async () => {
    // The icons of the game's achievements are on another site.
    const expected = /icons\.example|ERR_NAME_NOT_RESOLVED/;
    const { page, close } = await stage.visit(gamePath(game, 'overview'), { token, expected });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loadAxe(page);
    await loadPhoneQuestions(page);
    const problems: string[] = [];
    let theme: Theme = 'light';
    const look = async (where: string) => {
      const popups = POPUPS.map((role) => `[role=${role}]`).join();
      // Opened menus and dialogs are outside of landmarks, so the rule about landmarks is disabled.
      for (const rules of [undefined, ['color-contrast']]) {
        const found = await findViolations(page, popups, rules, ['region']);
        for (const { id, nodes } of found) {
          problems.push(`${where} ${theme} ${id}: ${nodes[0]?.html}`.slice(0, 400));
        }
        if (rules) break;
        theme = theme === 'light' ? 'dark' : 'light';
        await setTheme(page, theme);
      }
    };
    const webhook: (typeof OPENERS)[number] = [
      `webhooks/${game.params.webhook_id}`,
      'https://hooks.studio.example/m',
      ['Show', 'Actions', 'Actions > Edit', 'Actions > Replace', 'Actions > Delete'],
    ];
    for (const [path, heading, controls] of [...OPENERS, webhook]) {
      await go(page, path.startsWith('/') ? path : gamePath(game, path), heading);
      for (const control of controls) {
        const [first, item] = control.split(' > ');
        await open(page, first!);
        if (item !== undefined) {
          await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click();
          // A dialog gets its accessible name a moment after it opens.
          await page.getByRole('dialog', { name: /./ }).waitFor();
        }
        await look(`${path} ${control}`);
        const hidden = await findHiddenSubmits(page);
        problems.push(...hidden.map((button) => `${path} ${control} on a phone: ${button}`));
        // The first Escape closes only an open list, and the next one closes the form.
        const list = page.getByRole('combobox', { expanded: true }).and(page.locator(':focus'));
        if ((await list.count()) > 0) await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await until(`${control} closes`, async () => (await countPopups(page)) === 0);
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await go(page, gamePath(game, 'overview'), 'm game');
    await open(page, 'Menu');
    await look('the menu on a phone');
    assert.deepEqual(problems, []);
    await close();
  });
});

async function open(page: Page, name: string): Promise<void> {
  const named = { name: new RegExp(`^${name}`) };
  const controls = page.getByRole('button', named).or(page.getByRole('combobox', named));
  await controls
    .or(page.getByTitle(name, { exact: true }))
    .first()
    .click();
  await until(`${name} opens`, async () => (await countPopups(page)) > 0);
  await until('it is loaded', async () => (await page.locator('[aria-busy=true]').count()) === 0);
}

async function countPopups(page: Page): Promise<number> {
  const counts = await Promise.all(
    POPUPS.map((role) => page.locator(`[role=${role}]:visible`).count()),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
