import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chooseByKeys, gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('statistics in the dashboard', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  test('a statistic can be made by keyboard, and edited, archived and deleted by mouse', async () => {
    const { stage, game, owner, ask, send } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'stats'), {
      token: owner.token,
      expected: /400|409/,
    });
    const stored = async () => (await ask('GET', 'stats')).body.stats;
    await page.getByText('No statistics yet').waitFor();
    await page.getByRole('button', { name: 'New statistic' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('Best Lap');
    await page.getByRole('combobox', { name: 'Changes are joined' }).focus();
    await page.keyboard.press('Enter');
    await chooseByKeys(page, 'The least');
    await page.getByRole('textbox', { name: 'Least value' }).focus();
    await page.keyboard.type('9');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.getByText(/Least value must not be more than/).waitFor();
    assert.deepEqual(await stored(), []);
    await page.getByRole('textbox', { name: 'Greatest value' }).fill('900');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('at least 9, at most 900').waitFor();
    const [lap] = await stored();
    assert.deepEqual(
      [lap.key, lap.aggregation, lap.minimum, lap.maximum, lap.max_change],
      ['best_lap', 'min', 9, 900, null],
    );

    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for Best Lap' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Edit');
    await page.getByRole('textbox', { name: 'Least value' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('at most 900', { exact: true }).waitFor();
    await act('Archive');
    await page.getByText('archived', { exact: true }).waitFor();
    await act('Restore');
    await page.getByText('archived', { exact: true }).waitFor({ state: 'detached' });
    await send('POST', '/v1/stats', {
      player_id: 'racer',
      changes: [{ key: 'best_lap', value: 61.5 }],
    });
    await act('Delete');
    await page.getByRole('button', { name: 'Delete statistic' }).click();
    await page.getByText('Best Lap was archived').waitFor();
    assert.equal((await stored())[0].archived, true);
    await close();
  });

  test('the page of a player has values and a chart, and staff set a value with a reason', async () => {
    const { stage, game, owner, ask, send } = opened;
    await ask('POST', 'stats', { key: 'coins', name: 'Coins', minimum: 0 });
    await ask('POST', 'stats', { key: 'depth', name: 'Depth', aggregation: 'min' });
    const changes = [
      { key: 'coins', value: 100.5 },
      { key: 'depth', value: -30 },
    ];
    await send('POST', '/v1/stats', { player_id: 'fox', changes });
    const { page, close } = await stage.visit(gamePath(game, 'players/fox?tab=stats'), {
      token: owner.token,
      expected: /400/,
    });
    await page.getByRole('group', { name: 'Coins over the last 30 days' }).waitFor();
    await page.getByRole('button', { name: 'Set value of Coins' }).press('Enter');
    const value = page.getByRole('textbox', { name: 'Value' });
    await value.fill('-20');
    await page.keyboard.press('Enter');
    await page.getByText('Write why you set it').waitFor();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Lost coins in a crash');
    await page.keyboard.press('Enter');
    await page.getByText(/coins must be at least 0/).waitFor();
    await value.fill('150.5');
    await page.getByRole('button', { name: 'Set value', exact: true }).click();
    await page.getByText('Coins is 150.5').waitFor();
    const { body } = await ask('GET', 'players/fox/stats/coins');
    assert.equal(body.value, 150.5);
    const { audit_log } = (await ask('GET', 'audit-log?action=set_player_stat')).body;
    assert.equal(audit_log[0].details.reason, 'Lost coins in a crash');

    await page.getByRole('combobox', { name: 'Statistic of the chart' }).click();
    await page.getByRole('option', { name: 'Depth' }).click();
    const chart = page.getByRole('group', { name: 'Depth over the last 30 days' });
    await chart.waitFor();
    await page.getByText('By hour').click();
    await chart.getByText('-30', { exact: true }).first().waitFor();
    await close();
  });

  test('a viewer sees the statistics and cannot change them', async () => {
    const { stage, game, ask } = opened;
    await ask('POST', 'stats', { key: 'wins', name: 'Wins' });
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const { page, close } = await stage.visit(gamePath(game, 'stats'), { token });
    await page.getByText('Wins', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /New statistic|Actions for/ }).count(), 0);
    await close();
  });
});
