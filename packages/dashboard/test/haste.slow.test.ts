import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, go, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage, Visit } from './browser.ts';

/** These tests check that nothing breaks when a reader clicks or types before an answer has come. */
describe('the dashboard with a hasty reader', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let visit: Visit;
  let page: Page;
  const ask = (method: string, path: string, body?: unknown) =>
    stage.server.request(method, `/v1/games/${game.game_id}/${path}`, { token: owner.token, body });

  before(async () => {
    stage = await openStage();
    game = await stage.server.makeGame();
    owner = await stage.server.makeAccount({ game_id: game.game_id });
    for (const name of ['A', 'B', 'C']) {
      await ask('POST', 'achievements', { key: name.toLowerCase(), name });
    }
    const identify = { player_id: 'fox', properties: { level: 1 } };
    await stage.server.request('POST', '/v1/identify', {
      key: game.production_key,
      body: identify,
    });
    visit = await stage.visit(gamePath(game, 'overview'), { token: owner.token });
    page = visit.page;
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  after(async () => {
    await visit.close();
    await stage.close();
  });

  test('letters that are typed at the moment when a search begins stay in the field', async () => {
    await go(page, gamePath(game, 'players'), 'Players');
    const field = page.getByRole('textbox', { name: 'Search by name or id' });
    // Types the next letter whenever the page writes a search into the URL.
    await page.evaluate(`{
      const field = document.querySelector('[aria-label="Search by name or id"]');
      const letters = [...'bcdefgh'];
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      for (const name of ['pushState', 'replaceState']) {
        const write = history[name];
        history[name] = (...values) => {
          write.apply(history, values);
          if (letters.length === 0) return;
          set.call(field, field.value + letters.shift());
          field.dispatchEvent(new Event('input', { bubbles: true }));
        };
      }
    }`);
    await field.press('a');
    await until(
      'all of it is searched for',
      async () => new URL(page.url()).searchParams.get('search') === 'abcdefgh',
    );
    assert.equal(await field.inputValue(), 'abcdefgh');
  });

  test('a step that is added right after the choice of an event keeps the event', async () => {
    await go(page, gamePath(game, 'funnels'), 'Funnels');
    const event = page.getByRole('combobox', { name: 'Event of step 1', exact: true });
    await event.fill('open');
    // Clicks as soon as the event is in the address, before the page has drawn anything else.
    await page.evaluate(`(async () => {
      const add = [...document.querySelectorAll('button')].find((each) => each.textContent === 'Add step');
      const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true });
      document.querySelector('[aria-label="Event of step 1"]').dispatchEvent(enter);
      for (let turn = 0; turn < 1_000 && !location.search.includes('open'); turn++) await null;
      add.click();
    })()`);
    await page.getByRole('combobox', { name: 'Event of step 3', exact: true }).waitFor();
    assert.equal(await event.inputValue(), 'open');
  });

  test('a click on a player opens the player, even if the search for the typed letters begins after the click', async () => {
    const search = page.getByRole('textbox', { name: 'Search by name or id' });
    const player = page.getByRole('link', { name: 'fox', exact: true });
    const heading = page.getByRole('heading', { name: 'fox', level: 1 });

    // A search begins after a pause in typing. The test ends this pause either right after the click,
    // while the code of the player's page is being loaded, or right after the URL has changed.
    for (const moment of ['click', 'address']) {
      await go(page, gamePath(game, 'players'), 'Players');
      await player.waitFor();
      await page.evaluate(`(async () => {
        const { setTimeout, clearTimeout } = window;
        const waiting = new Map();
        window.setTimeout = (run, ...rest) => {
          const timer = setTimeout(run, ...rest);
          waiting.set(timer, run);
          return timer;
        };
        window.clearTimeout = (timer) => {
          waiting.delete(timer);
          clearTimeout(timer);
        };
        const field = document.querySelector('[aria-label="Search by name or id"]');
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
        set.call(field, 'f');
        field.dispatchEvent(new Event('input', { bubbles: true }));
        window.setTimeout = setTimeout;
        document.querySelector('a[href$="/players/fox"]').click();
        if ('${moment}' === 'address') {
          while (!location.pathname.endsWith('/fox')) await new Promise(setTimeout);
        }
        for (const run of waiting.values()) run();
        window.clearTimeout = clearTimeout;
      })()`);
      await heading.waitFor();
      assert.equal(new URL(page.url()).search, '', moment);
    }

    await go(page, gamePath(game, 'players'), 'Players');
    await search.press('f');
    await page.waitForURL('**/players?search=f');
    await player.click();
    await heading.waitFor();
  });

  test('the field `How often` of a segment shows the number from the URL', async () => {
    const question = (at_least: number) => {
      const events = JSON.stringify([{ event_name: 'shop', did: true, at_least }]);
      return `segments?${new URLSearchParams({ events })}`;
    };
    const field = page.getByRole('textbox', { name: 'How often event 1' });
    for (const at_least of [2, 5]) {
      await go(page, gamePath(game, question(at_least)), 'Segments');
      await until(`${at_least} times`, async () => (await field.inputValue()) === String(at_least));
    }
  });

  test('when a reader quickly moves or grants several achievements, every move and every grant is stored', async () => {
    await go(page, gamePath(game, 'achievements'), 'Achievements');
    const keys = async () => {
      const { body } = await ask('GET', 'achievements');
      return body.achievements.map(({ key }: { key: string }) => key).join(' ');
    };
    const grip = page.getByRole('button', { name: 'Move A:' });
    await grip.press('ArrowDown');
    await grip.press('ArrowDown');
    await page.getByRole('button', { name: 'Move B:' }).press('ArrowDown');
    await until('all three moves are stored', async () => (await keys()) === 'c b a');
    const undos = page.getByRole('alert').filter({ hasText: 'Moved A' });
    await undos.getByRole('button', { name: 'Undo' }).last().click();
    await until('one of them is taken back', async () => (await keys()) !== 'c b a');

    await go(page, gamePath(game, 'players/fox?tab=achievements'), 'fox');
    await page.getByRole('button', { name: 'Grant A' }).click();
    await page.getByRole('button', { name: 'Grant B' }).click();
    for (const name of ['A', 'B']) {
      await page.getByRole('button', { name: `Revoke ${name}` }).waitFor();
      await page.getByText(`Granted ${name}`).waitFor();
    }
  });

  test('a key that was just made is no longer shown after a switch to the other environment', async () => {
    await go(page, gamePath(game, 'start', 'development'), 'Connect Test game');
    await page.getByRole('button', { name: 'Create development key' }).click();
    await page
      .getByText(/ow_dev_|dev_/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Production', exact: true }).first().click();
    await page.getByRole('button', { name: 'Create production key' }).waitFor();
  });

  test('a member has to confirm a change of their own role', async () => {
    const second = await stage.server.makeAccount({ game_id: game.game_id });
    await go(page, gamePath(game, 'members'), 'Members');
    await page.getByRole('combobox', { name: `Role of ${owner.email}` }).click();
    await page.getByRole('option', { name: 'viewer', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You cannot undo this').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const { body } = await ask('GET', 'members');
    const roles = body.members.map(({ email, role }: TestAccount & { role: string }) => [
      email,
      role,
    ]);
    assert.deepEqual(Object.fromEntries(roles), {
      [owner.email]: 'owner',
      [second.email]: 'owner',
    });
  });

  test('a reader stays logged in after changing the password', async () => {
    await go(page, '/account', 'Your account');
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByLabel('New password').fill('another correct horse');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await go(page, gamePath(game, 'members'), 'Members');
    await page.getByRole('region', { name: 'Members' }).getByText('(you)').waitFor();
  });
});
