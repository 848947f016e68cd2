import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

const EXPERIMENT = {
  name: 'Shop',
  share: 50,
  variants: [
    { name: 'Control', weight: 1 },
    { name: 'Open', weight: 1, values: { shop: true } },
  ],
  metrics: [{ kind: 'retention', days: 1 }],
};
const ALERT = { name: 'Away', metric: 'active_players', comparison: 'below', threshold: 5 };

describe(
  'copies of experiments and alerts to the other environment',
  { skip: withoutBrowser },
  () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage();
    });
    after(() => stage.close());

    const makeGame = async () => {
      const game = await stage.server.makeGame();
      const { token } = await stage.server.makeAccount({
        game_id: game.game_id,
        role: 'developer',
      });
      const ask = async (method: string, path: string, body?: object) => {
        const at = `/v1/games/${game.game_id}/${path}`;
        const answer = await stage.server.request(method, at, { token, body });
        assert.ok(answer.status < 300, answer.text);
        return answer.body;
      };
      const parameters = { shop: { value: false } };
      await ask('PUT', 'config?environment=development', { parameters });
      await ask('PUT', 'config?environment=production', { parameters });
      await ask('POST', 'experiments?environment=development', EXPERIMENT);
      await ask('POST', 'alerts', { ...ALERT, environment: 'development' });
      return { game, token, ask };
    };

    for (const [page_path, kind, name, list] of [
      ['experiments', 'experiment', 'Shop', 'experiments'],
      ['alerts', 'alert', 'Away', 'alerts'],
    ] as const) {
      test(`the page of ${page_path} shows the plan, makes it, and leads to the other environment`, async () => {
        const { game, token, ask } = await makeGame();
        const readNames = async () => {
          const listed = await ask('GET', `${list}?environment=production`);
          return listed[list].map((it: { name: string }) => it.name);
        };
        const { page, close } = await stage.visit(gamePath(game, page_path, 'development'), {
          token,
        });
        await page.getByRole('button', { name: 'Copy to production…' }).click();
        const dialog = page.getByRole('dialog');
        const change = `+ ${kind} "production/${name}"`;
        await dialog.getByText(change, { exact: true }).waitFor();
        assert.deepEqual(await readNames(), []);
        await dialog.getByRole('button', { name: 'Copy to production' }).click();
        await dialog.getByText(`Production has the ${list} of development now`).waitFor();
        assert.deepEqual(await readNames(), [name]);
        await dialog.getByRole('link', { name: 'Show production' }).click();
        await dialog.waitFor({ state: 'hidden' });
        await page.getByRole('main').getByText(name, { exact: true }).waitFor();
        assert.match(page.url(), new RegExp(`/production/${page_path}$`));

        await page.getByRole('button', { name: 'Copy to development…' }).click();
        await dialog.getByText(`Development has the ${list} of production already.`).waitFor();
        await close();
      });
    }

    test('an experiment that has started says why it cannot be copied, and nothing is copied', async () => {
      const { game, token, ask } = await makeGame();
      const started = { ...EXPERIMENT, share: 10 };
      const { id } = await ask('POST', 'experiments?environment=production', started);
      await ask('POST', `experiments/${id}/start?environment=production`);
      await ask('POST', `experiments/${id}/stop?environment=production`);
      const { page, close } = await stage.visit(gamePath(game, 'experiments', 'development'), {
        token,
        expected: /409/,
      });
      await page.getByRole('button', { name: 'Copy to production…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('* The experiment has started, so an apply is refused').waitFor();
      await dialog.getByRole('button', { name: 'Copy to production' }).click();
      await dialog.getByText('Nothing was copied').waitFor();
      await dialog.getByText('The share of an experiment that has ended is fixed').waitFor();
      await close();
    });
  },
);
