import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('players whom nobody plays', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  test('an admin finds invented players by their origin, and deletes them after typing their number', async () => {
    const { stage, game, owner, send, ask } = opened;
    for (let number = 1; number <= 12; number++) {
      await send('POST', '/v1/identify', { player_id: `invented-${number}`, properties: {} });
    }
    const event = { event_name: 'start', session_id: 's', player_id: 'honest' };
    await send('POST', '/v1/track', event);
    await ask('GET', 'players/honest');
    const { page, close } = await stage.visit(gamePath(game, 'players'), { token: owner.token });
    const table = page.getByRole('region', { name: 'Players' });
    await table.getByText('honest').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Delete these players' }).count(), 0);

    await page.getByRole('button', { name: 'Origin' }).click();
    await page.getByLabel('First seen from').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: /^Remove First seen from .*2020/ }).waitFor();
    await page.getByRole('button', { name: 'Origin' }).click();
    await page.getByLabel('No event known').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Remove No event known' }).waitFor();
    await table.getByText('honest').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Delete these players' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete all players of this search?' });
    const confirm = dialog.getByRole('button', { name: 'Delete 12 players permanently' });
    await confirm.waitFor();
    assert.ok(await confirm.isDisabled());
    await dialog.getByLabel('Type 12 to confirm').fill('12');
    await confirm.click();
    await page.getByText('Nobody matches').waitFor();
    await page.getByText('Deleted 12 players').waitFor();
    await page.getByRole('button', { name: 'Clear all', exact: true }).click();
    await table.getByText('honest').waitFor();
    await close();
  });
});
