import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import type { Studio } from '../../src/features/experiments/test/studio.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';

/** Documents are refused for the same reasons for which the routes refuse a change. */

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

interface Document {
  kind: string;
  key: string;
  definition: object;
}

/** Applies documents. @returns the status, and the body of the answer. */
async function apply(studio: Studio, definitions: readonly Document[], more: object = {}) {
  const { body } = await studio.steer('POST', '/definitions/plan', { definitions, ...more });
  const sent = { definitions, ...more, plan: body.plan };
  return studio.steer('POST', '/definitions/apply', sent);
}

const segment = (query: string): Document => ({
  kind: 'segment',
  key: 'Whales',
  definition: { query },
});

const schema = (...names: string[]): Document => ({
  kind: 'event_schema',
  key: 'buy',
  definition: { schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } },
});

const readDigest = async (studio: Studio) =>
  (await studio.steer('GET', '/definitions')).body.digest as string;

test('a segment in use is changed only on confirmation, and not deleted', async () => {
  const studio = await makeStudio(server);
  await apply(studio, [segment('tag=whale')]);
  const query = `players=${encodeURIComponent(JSON.stringify({ segment: 'Whales' }))}`;
  const cards = [{ title: 'Back', report: 'retention', chart: 'curve', query }];
  const dashboard = await studio.steer('POST', '/dashboards', { name: 'Main', cards });
  assert.equal(dashboard.status, 201, dashboard.text);
  const { digest, definitions } = (await studio.steer('GET', '/definitions')).body;
  const dashboards = definitions.filter(({ kind }: Document) => kind === 'dashboard');
  const used_by = ['the card "Back" of the dashboard "Main"'];
  for (const [documents, advice] of [
    [[segment('tag=vip')], 'save it under another name, or confirm that their numbers change'],
    [[], 'take it out of them first'],
  ] as const) {
    const { status, body } = await apply(studio, [...documents, ...dashboards], { prune: true });
    const error = `The segment "Whales" is used by ${used_by[0]}: ${advice}`;
    assert.equal(status, 409);
    assert.deepEqual(body, {
      error: `segment "Whales": ${error}`,
      used_by,
      problems: [{ kind: 'segment', key: 'Whales', error }],
    });
  }
  assert.equal(await readDigest(studio), digest);

  // The confirmation is about changes alone.
  assert.equal((await apply(studio, dashboards, { prune: true, replace_used: true })).status, 409);
  assert.equal((await apply(studio, [segment('tag=vip')], { replace_used: true })).status, 200);
  await studio.steer('DELETE', `/dashboards/${dashboard.body.id}`);
  assert.equal((await apply(studio, [], { prune: true })).status, 200);
});

test('segments that use each other in a circle are refused, unless the game has them already', async () => {
  const studio = await makeStudio(server);
  const uses = (key: string, used: string): Document => ({
    kind: 'segment',
    key,
    definition: { query: `players=${encodeURIComponent(JSON.stringify({ segment: used }))}` },
  });
  const digest = await readDigest(studio);
  const circle = [uses('A', 'B'), uses('B', 'C'), uses('C', 'A')];
  const { status, body } = await studio.steer('POST', '/definitions/plan', { definitions: circle });
  assert.equal(status, 400);
  const error = 'query makes a circle of segments: A → B → C → A';
  assert.deepEqual(body.problems, [{ kind: 'segment', key: 'A', error }]);
  assert.equal(await readDigest(studio), digest);
  // The page of segments saves them unchecked, so what is pulled can be planned.
  const [first, ...others] = circle;
  assert.equal((await apply(studio, others)).status, 200);
  const put = await studio.steer('PUT', '/saved-reports/segment/A', first!.definition);
  assert.ok(put.status < 300, put.text);
  const same = await studio.steer('POST', '/definitions/plan', { definitions: circle });
  assert.deepEqual([same.status, same.body.changes], [200, []]);
  const other = await apply(studio, [...circle, segment('tag=whale')]);
  assert.equal(other.status, 200, other.text);
});

test('a property in use is not left out of the schema of its event', async () => {
  const studio = await makeStudio(server);
  await apply(studio, [schema('cents', 'coins')]);
  const revenue = { event_name: 'buy', amount_property: 'cents', currency: 'EUR' };
  assert.equal((await studio.steer('PUT', '/revenue-settings', revenue)).status, 200);
  const refused = await apply(studio, [schema('coins')]);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /^event_schema "buy": A property of buy .* revenue settings/);
  assert.equal((await apply(studio, [schema('cents')])).status, 200);
});

test('a parameter of a running experiment keeps its value', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start(HALVES);
  const { parameters } = (await studio.steer('GET', '/config')).body;
  const config = (more: object): Document => ({
    kind: 'remote_config',
    key: 'production',
    definition: { parameters: { ...parameters, ...more } },
  });
  const changed = [config({ reward: { value: 7 } })];
  const plan = await studio.steer('POST', '/definitions/plan', { definitions: changed });
  assert.deepEqual(
    plan.body.effects.map(({ words }: { words: string }) => words),
    [
      `The running experiment "${HALVES.name}" has \`reward\`: an apply is refused until it is stopped or shipped.`,
    ],
  );
  const refused = await apply(studio, changed);
  assert.equal(refused.status, 409);
  assert.deepEqual([refused.body.key, refused.body.experiment_id], ['reward', id]);
  assert.equal((await apply(studio, [config({ other: { value: 7 } })])).status, 200);
});

test('a parameter of a running experiment refuses a copy from the other environment', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start(HALVES);
  const copy = { from: 'development', to: 'production' };
  const { plan } = (await studio.steer('POST', '/definitions/copy/plan', copy)).body;
  const refused = await studio.steer('POST', '/definitions/copy/apply', { ...copy, plan });
  assert.equal(refused.status, 409);
  assert.deepEqual([refused.body.key, refused.body.experiment_id], ['reward', id]);
  assert.match(refused.body.error, /^remote_config "production": /);
});
