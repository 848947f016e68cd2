import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { findViolations, loadAxe } from './axe.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const DAY = 86_400_000;
const PLAYERS = 1_500;

/**
 * Moves an experiment into the past, and adds players who were exposed to it. Some of these players came
 * back.
 */
async function liveThrough({ stage, game }: GameStage, id: string): Promise<void> {
  const { database } = stage.server;
  const started_at = new Date(Date.now() - 9 * DAY).toISOString();
  await database.execute(sql`
    UPDATE experiments SET started_at = ${started_at} WHERE game_id = ${game.game_id}`);
  // Of 100 players in the control, 30 come back on the next day. Of 100 players in the variant, 45 come back.
  await database.execute(sql`
    INSERT INTO experiment_exposures
      (game_id, environment, player_id, experiment_id, variant, exposed_at)
    SELECT ${game.game_id}, 'production', 'player ' || n || ' ' || variant, ${id}, variant,
           ${started_at}::timestamptz
    FROM generate_series(1, ${PLAYERS}::integer) AS n, generate_series(0, 1) AS variant`);
  await database.execute(sql`
    INSERT INTO player_activity (game_id, environment, player_id, first_day, active_days)
    SELECT game_id, environment, player_id, (exposed_at AT TIME ZONE 'UTC')::date, '11'
    FROM experiment_exposures
    WHERE game_id = ${game.game_id}
      AND split_part(player_id, ' ', 2)::integer % 100 < CASE variant WHEN 0 THEN 30 ELSE 45 END`);
}

describe('an experiment', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    await opened.ask('PUT', 'config', {
      parameters: { daily_reward: { value: 100, rules: [{ has_tags: ['vip'], value: 150 }] } },
    });
    await opened.send('POST', '/v1/track', {
      event_name: 'purchase',
      session_id: 's',
      player_id: 'p1',
      properties: { price: 5 },
    });
  });
  after(() => opened.stage.close());

  test('can be created, started, evaluated and shipped', async () => {
    const { stage, game, owner, ask } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'experiments'), {
      token: owner.token,
      // Somebody else changes the config meanwhile, so a request is answered 409.
      expected: /400|409/,
    });
    await page.getByText('No experiments yet').waitFor();
    await page.getByRole('button', { name: 'New experiment' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Higher reward');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Choose a parameter that differs between variants').waitFor();

    await page.getByRole('combobox', { name: 'Parameters' }).click();
    await page.getByRole('option', { name: 'daily_reward' }).click();
    await page.keyboard.press('Escape');
    const value = page.getByRole('textbox', { name: 'daily_reward' });
    const variant = page.getByRole('textbox', { name: 'Variant', exact: true });
    await variant.fill('Control');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Variant must differ from the names before it').waitFor();
    await variant.fill('Generous');
    assert.equal(await value.inputValue(), '100');
    await value.fill('two hundred');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('The value of daily_reward in Generous is not JSON').waitFor();
    await value.fill('200');

    await page.getByRole('button', { name: 'Add metric' }).click();
    const second = page.getByRole('group', { name: 'Metric 2' });
    await second.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Sum of a property per player' }).click();
    await second.getByRole('combobox', { name: 'Event' }).fill('purchase');
    await page.keyboard.press('Enter');
    await second.getByRole('combobox', { name: 'Property' }).fill('price');
    await page.keyboard.press('Enter');
    await second.getByRole('checkbox', { name: 'Guardrail' }).check();
    await page.getByRole('button', { name: 'Save draft' }).click();

    await page.getByRole('heading', { level: 1, name: 'Higher reward' }).waitFor();
    await page.getByText('Results come when the experiment runs').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start experiment' }).click();
    await page.getByText('0 players: 0 Control').waitFor();

    const { body } = await ask('GET', 'experiments');
    const [{ id, metrics }] = body.experiments;
    assert.deepEqual(metrics[1], {
      kind: 'event_sum',
      days: 7,
      event_name: 'purchase',
      property: 'price',
      guardrail: true,
    });
    await liveThrough(opened, id);
    await page.getByRole('button', { name: 'Refresh' }).click();
    const verdict = await page.getByText('Generous is likely better: +').innerText();
    await page.getByText('All players have the same value, 0: without any variance').waitFor();
    await loadAxe(page);
    assert.deepEqual(await findViolations(page, 'main'), []);
    await page.getByRole('button', { name: 'Table' }).first().click();
    await page
      .getByRole('region', { name: 'Back on day 1' })
      .getByRole('cell', { name: 'Likely better' })
      .waitFor();

    await page.getByRole('button', { name: 'Pin Higher reward: Back on day 1' }).click();
    const pinning = page.getByRole('dialog');
    await pinning.getByLabel('Name of the new dashboard').fill('Tests');
    assert.equal(await pinning.getByLabel('Days').count(), 0);
    await pinning.getByRole('button', { name: 'Pin', exact: true }).click();
    await pinning.waitFor({ state: 'hidden' });
    const results = page.url();
    await page.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('link', { name: 'Tests' }).click();
    await page.getByText('Since its start').waitFor();
    await page.getByText(`Back on day 1. ${verdict}`).waitFor();
    await page.getByLabel('Back on day 1, difference to Control').waitFor();
    await page.getByRole('link', { name: 'Higher reward: Back on day 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Higher reward' }).waitFor();
    assert.equal(new URL(page.url()).pathname, new URL(results).pathname);

    await page.getByRole('button', { name: 'Ship the winner' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('By the metric that decides: Generous is likely better').waitFor();
    const changes = dialog.getByRole('region', { name: 'Change of daily_reward' });
    await changes.getByText('150').waitFor();
    await ask('POST', `experiments/${id}/stop`);
    await ask('PUT', 'config', { parameters: { daily_reward: { value: 120 } } });
    await dialog.getByRole('button', { name: 'Ship Generous' }).click();
    await dialog.getByText('Version conflict').waitFor();
    await changes.getByText('120').waitFor();
    await dialog.getByRole('button', { name: 'Ship Generous' }).click();
    await page.getByText('Generous is shipped').waitFor();
    await page.getByText('Shipped', { exact: true }).first().waitFor();
    const { body: config } = await ask('GET', 'config');
    assert.deepEqual([config.version, config.parameters], [3, { daily_reward: { value: 200 } }]);
    await close();
  });

  test('a draft can be edited, a running experiment can get a larger share, and a stopped one can be deleted', async () => {
    const { stage, game, owner, ask } = opened;
    const { body } = await ask('POST', 'experiments', {
      name: 'Second',
      share: 10,
      condition: { has_tags: ['vip'] },
      variants: [
        { name: 'A', weight: 1 },
        { name: 'B', weight: 3, values: { daily_reward: { coins: 5 } } },
      ],
      metrics: [{ kind: 'event_count', event_name: 'purchase', days: 3, cap: 9 }],
    });
    const { page, close } = await stage.visit(gamePath(game, `experiments/${body.id}`), owner);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    const { body: edited } = await ask('GET', `experiments/${body.id}`);
    assert.deepEqual(edited, { ...body, name: 'Renamed' });

    await ask('POST', `experiments/${body.id}/start`);
    await page.reload();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Raise the share' }).click();
    const share = page.getByRole('textbox', { name: 'Share of the players' });
    await share.fill('5');
    await page.getByRole('dialog').getByRole('button', { name: 'Raise the share' }).click();
    await page.getByText('Enter a number from 10 to 100').waitFor();
    await share.fill('25.5');
    await page.getByRole('dialog').getByRole('button', { name: 'Raise the share' }).click();
    await page.getByText('25.5%').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Stop experiment' }).click();
    await page.getByText('Stopped').waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete experiment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete experiment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor();
    assert.equal((await ask('GET', `experiments/${body.id}`)).status, 404);
    await close();
  });

  test('a viewer sees everything and cannot change anything', async () => {
    const { stage, game } = opened;
    const { game_id } = game;
    const viewer = await stage.server.makeAccount({ game_id, role: 'viewer' });
    const { page, close } = await stage.visit(gamePath(game, 'experiments'), viewer);
    await page.getByRole('link', { name: 'Higher reward' }).click();
    await page.getByText('Generous is likely better: +').waitFor();
    for (const name of ['Ship the winner', 'Actions', 'Stop', 'Start']) {
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    }
    await close();
  });
});
