import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { makeFilesStudio } from './test/studio.ts';

const COPY = { from: 'development', to: 'production' };

suite('copies to the other environment', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Makes a game whose environments have these parameters. */
  const makeGame = async (configs: Record<string, object>) => {
    const studio = await makeFilesStudio(server);
    const put = async (environment: string, parameters: object) => {
      const at = `/config?environment=${environment}`;
      assert.equal((await studio.call('PUT', at, { parameters })).status, 200);
    };
    for (const [environment, parameters] of Object.entries(configs)) {
      await put(environment, parameters);
    }
    return {
      ...studio,
      put,
      planCopy: (body: object = COPY) => studio.call('POST', '/definitions/copy/plan', body),
      applyCopy: (plan: string, body: object = COPY) =>
        studio.call('POST', '/definitions/copy/apply', { ...body, plan }),
      readConfig: async (environment: string) =>
        (await studio.call('GET', `/config?environment=${environment}`)).body,
    };
  };

  const DEVELOPMENT = { reward: { value: 150 }, shop: { value: 1 } };
  const PRODUCTION = { reward: { value: 100 }, old: { value: true } };
  const makeBoth = () => makeGame({ development: DEVELOPMENT, production: PRODUCTION });

  test('a copy makes what its plan shows, keeps the version before, and then differs in nothing', async () => {
    const game = await makeBoth();
    await game.call('POST', '/achievements', { key: 'a', name: 'A' });
    const planned = await game.planCopy();
    assert.equal(planned.status, 200, planned.text);
    const fields = [
      { path: 'parameters.reward.value', before: 100, after: 150 },
      { path: 'parameters.old', before: { value: true } },
      { path: 'parameters.shop', after: { value: 1 } },
    ];
    const change = { action: 'update', kind: 'remote_config', key: 'production', fields };
    assert.deepEqual(planned.body.changes, [change]);
    assert.deepEqual((await game.readConfig('production')).parameters, PRODUCTION);

    const applied = await game.applyCopy(planned.body.plan);
    const version = { before: 1, after: 2 };
    const { effects, ...plan } = planned.body;
    assert.equal(effects.length, 1);
    assert.deepEqual(applied.body, { ...plan, changes: [{ ...change, version }] });
    const now = await game.readConfig('production');
    assert.deepEqual([now.version, now.parameters], [2, DEVELOPMENT]);
    assert.equal((await game.readConfig('development')).version, 1);
    assert.deepEqual((await game.planCopy()).body.changes, []);

    const [entry] = (await game.call('GET', '/audit-log')).body.audit_log;
    assert.deepEqual([entry.action, entry.target], ['apply_definitions', planned.body.plan]);
    assert.deepEqual(entry.details, { ...COPY, count: 1, changes: [{ ...change, version }] });
  });

  test('its plan is that of the same documents, so either can apply it', async () => {
    const game = await makeBoth();
    const send = (method: string, path: string, body: object) =>
      server.request(method, path, { key: game.production_key, body });
    await send('POST', '/v1/identify', { player_id: 'owl', properties: {} });
    await send('POST', '/v1/identify', { player_id: 'cat', properties: {} });
    const planned = (await game.planCopy()).body;
    const { plan } = planned;
    const documents = [
      { kind: 'remote_config', key: 'production', definition: { parameters: DEVELOPMENT } },
    ];
    assert.deepEqual((await game.plan(documents)).body, planned);
    assert.match(planned.effects[0].words, /^2 of 2 players seen in production/);
    const uncounted = await game.call('POST', '/definitions/copy/plan?effects=none', COPY);
    assert.deepEqual([uncounted.body.plan, uncounted.body.effects], [plan, undefined]);
    const applied = await game.apply(documents, { plan });
    assert.deepEqual(applied.body.changes[0].version, { before: 1, after: 2 });
  });

  test('alerts are copied by their names, and those of the other environment stay', async () => {
    const game = await makeBoth();
    const alert = (key: string, threshold: number) => ({
      kind: 'alert',
      key,
      definition: { metric: 'active_players', comparison: 'below', threshold },
    });
    await game.planAndApply([
      alert('development/Away', 5),
      alert('development/New', 1),
      alert('production/Away', 9),
      alert('production/Own', 2),
    ]);
    const of = { ...COPY, kinds: ['alert'] };
    const { plan } = (await game.planCopy(of)).body;
    assert.equal((await game.applyCopy(plan)).status, 409);
    const copied = await game.applyCopy(plan, of);
    const named = copied.body.changes.map(({ action, key }: { action: string; key: string }) => [
      action,
      key,
    ]);
    assert.deepEqual(named, [
      ['update', 'production/Away'],
      ['create', 'production/New'],
    ]);
    assert.deepEqual((await game.readConfig('production')).parameters, PRODUCTION);
    const left = (await game.planCopy()).body.changes as { kind: string }[];
    assert.deepEqual(
      left.map(({ kind }) => kind),
      ['remote_config'],
    );
    const { alerts } = (await game.call('GET', '/alerts?environment=production')).body;
    const names = alerts.map(({ name }: { name: string }) => name).toSorted();
    assert.deepEqual(names, ['Away', 'New', 'Own']);
  });

  test('a plan says that a copy of a running scheduled change does not end, and what its own end leaves', async () => {
    const game = await makeBoth();
    const ends_at = new Date(Date.now() + 3_600_000).toISOString();
    const begin = async (environment: string, value: number) => {
      const change = { name: `In ${environment}`, ends_at, parameters: { reward: { value } } };
      const at = `/config/schedules?environment=${environment}`;
      assert.equal((await game.call('POST', at, change)).status, 201);
    };
    const listWords = async () =>
      (await game.planCopy()).body.effects.map(({ words }: { words: string }) => words);
    assert.equal((await listWords()).length, 1, 'nothing is running yet');
    await begin('development', 300);
    const copied = `\`reward\` has this value in development until ${ends_at} only, by the scheduled change "In development". In production it stays.`;
    assert.deepEqual((await listWords()).slice(0, -1), [copied]);
    await begin('production', 400);
    const replaced = `The scheduled change "In production" sets \`reward\` until ${ends_at}. Its end does not bring back the earlier value after an apply.`;
    assert.deepEqual((await listWords()).slice(0, -1), [copied, replaced]);
    // A value of one's own is not that of the scheduled change.
    const own = { parameters: { ...DEVELOPMENT, reward: { value: 301 } } };
    const { body } = await game.plan([
      { kind: 'remote_config', key: 'production', definition: own },
    ]);
    assert.equal(body.effects[0].words, replaced);
    assert.doesNotMatch(JSON.stringify(body.effects), /In development/);
  });

  test('a copy is refused when either environment has changed since its plan', async () => {
    const game = await makeBoth();
    for (const environment of ['development', 'production']) {
      const { plan } = (await game.planCopy()).body;
      const parameters = { ...DEVELOPMENT, changed: { value: environment } };
      await game.put(environment, parameters);
      const before_copy = await game.readConfig('production');
      const { status, body } = await game.applyCopy(plan);
      assert.equal(status, 409);
      assert.match(body.error, /^The plan is out of date/);
      assert.equal(body.digest, (await game.read()).digest);
      assert.deepEqual(await game.readConfig('production'), before_copy);
    }
    const { plan } = (await game.planCopy()).body;
    const both = await Promise.all([1, 2].map(() => game.applyCopy(plan)));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
  });

  test('a copy needs two environments and a developer, but a viewer sees its plan', async () => {
    const game = await makeBoth();
    const { status, body } = await game.planCopy({ from: 'production', to: 'production' });
    assert.deepEqual([status, body.error], [400, 'to must be another environment than from']);
    const viewer = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const send = (what: string, sent: object) =>
      server.request('POST', `/v1/games/${game.game_id}/definitions/copy/${what}`, {
        token: viewer.token,
        body: sent,
      });
    const planned = await send('plan', COPY);
    assert.deepEqual(planned.body, (await game.planCopy()).body);
    const { plan } = planned.body;
    assert.equal((await send('apply', { ...COPY, plan })).status, 403);
    assert.equal((await game.applyCopy(plan)).status, 200);
  });

  test('numbers beyond 2^53 keep their digits', async () => {
    const game = await makeGame({});
    const text = '{"parameters":{"id":{"value":9007199254740993}}}';
    await game.call('PUT', '/config?environment=development', text);
    const { plan } = (await game.planCopy()).body;
    const copied = await game.applyCopy(plan);
    assert.match(copied.text, /"after":\{"value":9007199254740993\}/);
    const now = await game.call('GET', '/config?environment=production');
    assert.match(now.text, /"value":9007199254740993/);
  });
});
