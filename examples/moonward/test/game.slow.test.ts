import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until, withoutBrowser } from '../../../packages/dashboard/test/browser.ts';
import { ALL_TIME_BOARD, DAILY_BOARD } from '../src/online/boards.ts';
import { sumTallies } from '../src/world/progress.ts';
import { readProgress } from '../src/world/read-progress.ts';
import { comeToForeground, readResults, startPlaying, touch } from './playing.ts';
import type { Playing } from './playing.ts';

// One player's evening: each test continues from the state that the previous test has left.
describe('Moonward in a browser', { skip: withoutBrowser }, () => {
  let playing: Playing;
  let first_tab: Page;
  let second_tab: Page;
  let lamps = 0;
  let config_requests = 0;

  before(async () => {
    playing = await startPlaying();
  });
  after(() => playing?.close());

  const ask = async (path: string) => {
    const { body } = await playing.server.request('GET', path, { key: playing.game.api_key });
    return body;
  };
  const readEntry = async (board: string) => (await ask(`/v1/leaderboards/${board}`)).entries[0];
  const playerId = async () => (await readEntry(ALL_TIME_BOARD)).player_id as string;
  const readSave = async () => {
    const { data, version } = await ask(`/v1/saves?player_id=${await playerId()}`);
    return { progress: readProgress(data), version: version as number };
  };
  const countEvents = async (name: string) => {
    const { events } = await ask(`/v1/players/${await playerId()}/timeline?limit=500`);
    return events.filter((event: { event_name: string }) => event.event_name === name).length;
  };

  test('Escape leaves a screen, even if its buttons are disabled', async () => {
    playing.context.on('request', (request) => {
      if (request.url().includes('/v1/config')) config_requests++;
    });
    first_tab = await playing.openTab();
    await first_tab.getByRole('button', { name: 'Wings' }).click();
    await first_tab.locator('.price').first().waitFor();
    assert.equal(await first_tab.locator('.price:enabled').count(), 0);
    await first_tab.keyboard.press('Escape');
    await first_tab.getByRole('button', { name: 'Set off' }).waitFor();
  });

  test('a night by keyboard lights a lamp, earns achievements and survives a change of weather', async () => {
    const tab = first_tab;
    await tab.keyboard.press('Enter');
    await tab.locator('.hint').waitFor();
    await tab.keyboard.down('Space');
    await until('the moth is in the air', async () => {
      return (await tab.locator('.hud-height').textContent()) !== '0 m';
    });
    await playing.setDifficulty({ weather: 'gale', dawn_speed: 3 });
    await comeToForeground(tab);
    await Promise.all([
      tab.locator('.band', { hasText: 'Gale' }).waitFor(),
      tab.locator('.toast', { hasText: 'First light' }).waitFor(),
      tab.locator('.toast', { hasText: 'Change in the air' }).waitFor(),
    ]);
    assert.equal(await tab.locator('[data-screen=results]').count(), 0, 'still on the way');
    await tab.locator('.toast', { hasText: 'Moth to a flame' }).waitFor();
    const results = await readResults(tab);
    // The player still holds the key when the results appear. The key must not press the focused button.
    await tab.keyboard.down('Space');
    await tab.keyboard.up('Space');
    assert.equal(await tab.locator('[data-screen=results]').count(), 1);
    // The config was loaded at the start, and again when the page came to the foreground.
    assert.equal(config_requests, 2);
    assert.equal(results.get('Lamps'), 1);
    lamps += 1;
  });

  test('after the night, its score is on both boards, and the progress is in the cloud save', async () => {
    const shown = await first_tab.locator('.big-score').textContent();
    await first_tab.getByText('Tonight 1 of 1 · All time 1 of 1').waitFor();
    for (const board of [DAILY_BOARD, ALL_TIME_BOARD]) {
      const entry = await readEntry(board);
      assert.equal(entry.score, Number(shown), board);
    }
    await until('the night is saved', async () => {
      const { status } = await playing.server.request(
        'GET',
        `/v1/saves?player_id=${await playerId()}`,
        { key: playing.game.api_key },
      );
      return status === 200 && sumTallies((await readSave()).progress).nights === 1;
    });
    const { progress } = await readSave();
    const unlocked = ['change_in_the_air', 'first_light', 'moth_to_a_flame'];
    assert.deepEqual(progress.achievements, unlocked);
    const { achievements } = await ask(`/v1/achievements?player_id=${await playerId()}`);
    const has = achievements.filter((one: { unlocked: boolean }) => one.unlocked);
    assert.deepEqual(has.map(({ key }: { key: string }) => key).sort(), unlocked);
  });

  test('the list of achievements masks the hidden ones until they are unlocked', async () => {
    await first_tab.getByRole('button', { name: 'Title' }).click();
    await first_tab.getByRole('button', { name: 'Achievements' }).click();
    await first_tab.getByText('40 of 170 points').waitFor();
    assert.equal(await first_tab.locator('.rows li').count(), 10);
    assert.equal(await first_tab.locator('.rows .is-earned').count(), 3);
    assert.equal(await first_tab.locator('.rows', { hasText: 'Moth to a flame' }).count(), 1);
    await first_tab.keyboard.press('Escape');
    await first_tab.getByRole('button', { name: 'Set off' }).waitFor();
  });

  test('when the saves of two tabs conflict, the nights of both tabs count, also a night that was played by touch', async () => {
    second_tab = await playing.openTab();
    await first_tab.bringToFront();
    await first_tab.keyboard.press('Enter');
    await first_tab.keyboard.press('Space');
    lamps += (await readResults(first_tab)).get('Lamps')!;
    await until('the first tab has saved', async () => {
      return sumTallies((await readSave()).progress).nights === 2;
    });
    const { version } = await readSave();

    await second_tab.bringToFront();
    await second_tab.getByRole('button', { name: 'Set off' }).tap();
    await second_tab.locator('.hint').waitFor();
    const lift = await touch(second_tab);
    await until('a lamp is lit', async () => {
      return Number(await second_tab.locator('.hud-score').textContent()) > 60;
    });
    await lift();
    // The finger is still down when the button of the results appears under it.
    const again = (await first_tab.getByRole('button', { name: 'Again' }).boundingBox())!;
    const liftLate = await touch(second_tab, again.y + again.height / 2);
    const touched = await readResults(second_tab);
    await liftLate();
    assert.equal(await second_tab.locator('[data-screen=results]').count(), 1);
    assert.ok(touched.get('Lamps')! >= 1);
    lamps += touched.get('Lamps')!;
    await second_tab.locator('.toast', { hasText: 'Saved in two places' }).waitFor();
    await until('both tabs are saved', async () => {
      return sumTallies((await readSave()).progress).nights === 3;
    });
    const save = await readSave();
    assert.ok(save.version > version);
    assert.equal(sumTallies(save.progress).lamps, lamps);
    assert.equal(Object.keys(save.progress.tallies).length, 2, 'each tab has its own count');
  });

  test('play continues offline, and everything arrives exactly once when the network is back', async () => {
    await second_tab.close();
    await first_tab.bringToFront();
    await playing.context.setOffline(true);
    await first_tab.locator('.offline-badge').waitFor();
    await first_tab.getByRole('button', { name: 'Again' }).press('Enter');
    await first_tab.keyboard.press('Space');
    const results = await readResults(first_tab);
    const pollen = results.get('Pollen')!;
    lamps += results.get('Lamps')!;
    await first_tab.getByText('Your score waits on this device').waitFor();
    await first_tab.locator('.offline-badge', { hasText: 'to send later' }).waitFor();
    await first_tab.getByRole('button', { name: 'Boards' }).click();
    await first_tab.getByText('The boards cannot be reached now.').waitFor();
    await first_tab.getByText('Your last score waits here').waitFor();
    // Another device of the player saves in the meantime.
    const { progress } = await readSave();
    const elsewhere = { pollen: 70, nights: 5, lamps: 40 };
    const data = {
      ...progress,
      tallies: { ...progress.tallies, 'phone-1': elsewhere },
      upgrades: { ...progress.upgrades, scent: 2 },
    };
    const body = { player_id: await playerId(), data };
    await playing.server.request('PUT', '/v1/saves', { key: playing.game.api_key, body });

    await playing.context.setOffline(false);
    await Promise.all(
      ['Back online', 'Saved in two places'].map((hasText) =>
        first_tab.locator('.toast', { hasText }).waitFor(),
      ),
    );
    await first_tab.locator('.offline-badge').waitFor({ state: 'hidden' });
    await first_tab.locator('.entries .is-you').waitFor();
    // The answer for the first board arrives late, when that board is no longer shown.
    const gate = Promise.withResolvers<void>();
    const tonight = /moonward-daily[?/]/;
    await first_tab.route(tonight, (route) => gate.promise.then(() => route.continue()));
    await first_tab.getByRole('button', { name: 'Tonight' }).click();
    const all_time = first_tab.getByRole('button', { name: 'All time' });
    await all_time.click();
    await first_tab.locator('.entries .is-you').waitFor();
    const isLate = ['?limit=5', '/around/'].map((end) =>
      first_tab.waitForResponse((response) => response.url().includes(`moonward-daily${end}`)),
    );
    gate.resolve();
    for (const response of await Promise.all(isLate)) await response.finished();
    await first_tab.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    assert.equal(await all_time.getAttribute('aria-pressed'), 'true');
    await first_tab.unroute(tonight);
    await first_tab.getByRole('button', { name: 'Back' }).click();
    await first_tab.locator('.ranks', { hasText: 'Tonight 1 of 1' }).waitFor();
    await until('the night is saved', async () => {
      return sumTallies((await readSave()).progress).nights === 3 + 1 + elsewhere.nights;
    });
    const merged = (await readSave()).progress;
    assert.equal(sumTallies(merged).lamps, lamps + elsewhere.lamps);
    assert.equal(
      sumTallies(merged).pollen,
      sumTallies(progress).pollen + pollen + elsewhere.pollen,
    );
    assert.equal(merged.upgrades.scent, 2);
    await until('its events have come', async () => (await countEvents('night_over')) >= 4);
    assert.equal(await countEvents('night_begun'), 4);
    assert.equal(await countEvents('night_over'), 4);
    assert.equal(await countEvents('achievement_unlocked'), 3);
  });
});
