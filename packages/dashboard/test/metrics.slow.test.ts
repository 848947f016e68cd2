import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitForIngest } from '../../server/test/inbox.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const DAY_MS = 86_400_000;

describe('metrics in the dashboard', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    const { stage, game, send } = opened;
    for (let player = 0; player < 60; player++) {
      const player_id = `p${player}`;
      const properties = { country: player % 2 === 0 ? 'DE' : 'US' };
      await send('POST', '/v1/identify', { player_id, properties });
      const events = [2, 1, 0].flatMap((days) => {
        const at = new Date(Date.now() - days * DAY_MS - 1_000).toISOString();
        const of = { session_id: `${player} ${days}`, player_id, client_timestamp: at };
        const buys = player % 4 === 0 || (days === 1 && player % 4 === 1);
        return [
          { ...of, event_name: 'open' },
          ...(buys ? [{ ...of, event_name: 'buy', properties: { price: 4.99 } }] : []),
        ];
      });
      await send('POST', '/v1/track', events);
    }
    await waitForIngest(stage.server.database, game.game_id);
  });
  after(() => opened.stage.close());

  test('a ratio of two new metrics is charted, split, pinned to a dashboard, edited and deleted', async () => {
    const { stage, game, owner, ask } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'metrics'), {
      token: owner.token,
      expected: /409/,
    });
    const dialog = page.getByRole('dialog');
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New metric', exact: true }).first().click();
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    };
    const submit = async () => {
      await dialog.getByRole('button', { name: 'Create metric', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    const choose = async (field: string, option: string) => {
      await dialog.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await page.getByText('No metrics yet').waitFor();
    await create('Players');
    await submit();
    await create('Payers');
    const event = dialog.getByRole('combobox', { name: /^Event/ });
    await event.fill('buy');
    await event.press('Tab');
    await submit();
    await create('Conversion of payers');
    await choose('What it is', 'Ratio of two metrics');
    await choose('Metric', 'Payers');
    await choose('Divided by', 'Players');
    await choose('Unit', 'Percent');
    await submit();
    await page.getByText('Payers / Players').waitFor();
    await page.getByText('50%').first().waitFor();
    const { metrics } = (await ask('GET', 'metrics')).body;
    assert.deepEqual(
      metrics.map(({ key, unit }: { key: string; unit: string }) => [key, unit]),
      [
        ['conversion_of_payers', 'percent'],
        ['payers', 'number'],
        ['players', 'number'],
      ],
    );

    await ask('POST', 'dashboards', { name: 'Main' });
    await page.getByRole('button', { name: /^Pin Conversion of payers/ }).click();
    await dialog.getByRole('button', { name: /^Pin/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.goto(
      `${new URL(page.url()).origin}${gamePath(game, 'metrics')}?metric_key=payers&split_by=property%3Acountry`,
    );
    await page.getByText('By country').first().waitFor();
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete metric' }).click();
    await dialog.getByRole('button', { name: 'Delete metric' }).click();
    await dialog.getByText(/is used by the metric "conversion_of_payers"/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit metric' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Buyers');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page
      .getByText(/Buyers, /)
      .first()
      .waitFor();
    await close();
  });

  test('Slack is told when the conversion of payers falls by a fifth', async () => {
    const { stage, game, owner, ask } = opened;
    const ratio = { kind: 'ratio', numerator: 'some', denominator: 'everybody', unit: 'percent' };
    for (const [key, metric] of Object.entries({
      some: { name: 'Some', kind: 'players', event_name: 'buy' },
      everybody: { name: 'Everybody', kind: 'players' },
      share: { name: 'Share of payers', ...ratio },
    })) {
      assert.equal((await ask('PUT', `metrics/${key}`, metric)).status, 200);
    }
    const { page, close } = await stage.visit(gamePath(game, 'webhooks'), { token: owner.token });
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByLabel('Address').fill('https://hooks.slack.com/services/T0/B0/x');
    await page.getByLabel('Note').fill('Slack of the live team');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.goto(`${new URL(page.url()).origin}${gamePath(game, 'alerts')}`);
    await page.getByRole('button', { name: 'New alert' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'When', exact: true }).click();
    await page.getByRole('option', { name: 'Share of payers', exact: true }).click();
    await dialog.getByText(/It was \d+%/).waitFor();
    await dialog.getByRole('combobox', { name: 'Message to webhooks' }).click();
    await page.getByRole('option', { name: 'Slack of the live team' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Create alert', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Share of payers of a day: down by 20% or more').waitFor();
    const [alert] = (await ask('GET', 'alerts')).body.alerts;
    assert.deepEqual(
      [alert.name, alert.metric, alert.metric_key, alert.comparison, alert.threshold],
      ['Share of payers down', 'metric', 'share', 'falls', 20],
    );
    assert.equal(alert.webhook_ids.length, 1);
    await close();
  });
});
