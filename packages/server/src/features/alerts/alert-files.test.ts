import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeStudio, RULE } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

interface Document {
  kind: string;
  key: string;
  definition: object;
}

const { name: NAME, environment: _, ...MEMBERS } = RULE;
const KEY = `production/${NAME}`;
const alert = (more: object = {}, key = KEY): Document => ({
  kind: 'alert',
  key,
  definition: { ...MEMBERS, ...more },
});

async function makeFiles() {
  const studio = await makeStudio(server);
  const plan = async (definitions: readonly object[], more: object = {}) =>
    (await studio.send('POST', '/definitions/plan', { definitions, ...more })).body;
  return {
    ...studio,
    plan,
    async apply(definitions: readonly object[], more: object = {}) {
      const { plan: id } = await plan(definitions, more);
      return studio.send('POST', '/definitions/apply', { definitions, ...more, plan: id });
    },
    async read(): Promise<Document[]> {
      const { definitions } = (await studio.send('GET', '/definitions')).body;
      return definitions.filter(({ kind }: Document) => kind === 'alert');
    },
  };
}

test('an alert keeps its members when files change it, and files name none', async () => {
  const studio = await makeFiles();
  const gone = await studio.makeWebhook();
  const webhook_id = await studio.makeWebhook();
  const account_ids = [studio.account_id];
  const { id } = await studio.make({ account_ids, webhook_ids: [webhook_id, gone] });
  await studio.send('DELETE', `/webhooks/${gone}`);
  const webhook_ids = [webhook_id];
  const defaults = { period: 'day', baseline: 'usual', cool_down_hours: 24, muted: false };
  assert.deepEqual(await studio.read(), [alert({ ...defaults, webhook_ids })]);
  const same = alert({ webhook_ids: [webhook_id.toUpperCase(), webhook_id] });
  assert.deepEqual((await studio.plan([same])).changes, []);

  const changed = alert({ muted: true, cool_down_hours: 2, webhook_ids });
  assert.equal((await studio.apply([changed])).status, 200);
  const [muted] = await studio.list();
  assert.deepEqual(
    [muted!.id, muted!.muted, muted!.cool_down_hours, muted!.account_ids, muted!.webhook_ids],
    [id, true, 2, account_ids, webhook_ids],
  );
  assert.equal((await studio.apply([alert()])).status, 200);
  const [silent] = await studio.list();
  assert.deepEqual([silent!.account_ids, silent!.webhook_ids], [account_ids, []]);
});

test('an alert tells webhooks that the same files make, and no others', async () => {
  const [studio, other] = [await makeFiles(), await makeFiles()];
  const key = randomUUID();
  const webhook = {
    kind: 'webhook',
    key,
    definition: { url: 'https://hooks.studio.example/a', events: [] },
  };
  const foreign = await other.makeWebhook();
  for (const id of [foreign, randomUUID()]) {
    const { status, body } = await studio.apply([webhook, alert({ webhook_ids: [key, id] })]);
    assert.equal(status, 400);
    assert.equal(body.problems[0].error, 'webhook_ids must be webhooks of the game');
  }
  assert.deepEqual(await studio.list(), []);
  const wanted = [alert({ webhook_ids: [key] }), webhook];
  assert.equal((await studio.apply(wanted)).status, 200);
  assert.deepEqual((await studio.list())[0]!.webhook_ids, [key]);
  assert.deepEqual((await studio.plan(wanted, { prune: true })).changes, []);
  const { status, body } = await studio.apply([alert({ muted: true, webhook_ids: [foreign] })]);
  assert.deepEqual([status, body.problems[0].key], [400, KEY]);
});

test('a webhook is not pruned while the file of an alert names it', async () => {
  const studio = await makeFiles();
  const [key, other] = [randomUUID(), randomUUID()].toSorted();
  const webhook = (id: string) => ({
    kind: 'webhook',
    key: id,
    definition: { url: 'https://hooks.studio.example/a', events: [] },
  });
  const named = alert({ webhook_ids: [key, other] });
  assert.equal((await studio.apply([webhook(key!), webhook(other!), named])).status, 200);
  const without = [webhook(key!), named, alert({}, 'production/Other')];
  const { status, body } = await studio.apply(without, { prune: true });
  assert.equal(status, 400, JSON.stringify(body));
  assert.deepEqual(body.problems, [
    {
      kind: 'alert',
      key: KEY,
      error: `webhook_ids must be webhooks of the game, and the plan deletes ${other}`,
    },
  ]);
  assert.equal((await studio.send('GET', '/webhooks')).body.webhooks.length, 2);
  assert.deepEqual((await studio.list())[0]!.webhook_ids, [key, other]);
  const right = [webhook(key!), alert({ webhook_ids: [key] })];
  assert.equal((await studio.apply(right, { prune: true })).status, 200);
  assert.deepEqual((await studio.plan(right, { prune: true })).changes, []);
});

test('an alert begins anew when a file changes its rule, and not when it mutes it', async () => {
  const studio = await makeFiles();
  await studio.make();
  await server.database.execute(sql`
    UPDATE alerts SET state = 'firing', last_value = 7 WHERE game_id = ${studio.game_id}`);
  const apply = async (more: object) => {
    assert.equal((await studio.apply([alert(more)])).status, 200);
    const [changed] = await studio.list();
    return [changed!.state, changed!.last_value];
  };
  assert.deepEqual(await apply({ muted: true }), ['firing', 7]);
  assert.deepEqual(await apply({ threshold: 21 }), ['unknown', null]);
});

test('an alert from a file watches in its environment, and tells nobody yet', async () => {
  const studio = await makeFiles();
  const development = `development/${NAME}`;
  const wanted = [
    alert(),
    alert({ metric: 'events', event_name: 'e', period: 'hour' }, development),
  ];
  assert.equal((await studio.apply(wanted)).status, 200);
  assert.deepEqual((await studio.plan(wanted, { prune: true })).changes, []);
  const [made] = await studio.list();
  assert.deepEqual(
    [made!.name, made!.environment, made!.account_ids, made!.webhook_ids, made!.state],
    [NAME, 'production', [], [], 'unknown'],
  );
  assert.ok(Date.parse(made!.next_check_at) > Date.now());
  const other = (await studio.send('GET', '/alerts?environment=development')).body.alerts;
  assert.deepEqual([other.length, other[0].event_name], [1, 'e']);
});

test('alerts of one name are told apart, also when the first of them is deleted', async () => {
  const studio = await makeFiles();
  for (const threshold of [1, 2, 3]) await studio.make({ threshold });
  await studio.make({ name: `${NAME} (2)`, threshold: 4 });
  const files = await studio.read();
  const keys = [KEY, `${KEY} (2)`, `${KEY} (3)`, `${KEY} (4)`];
  const thresholds = (from: readonly Document[]) =>
    Object.fromEntries(
      from.map(({ key, definition }) => [key, (definition as { threshold: number }).threshold]),
    );
  assert.deepEqual(
    thresholds(files),
    Object.fromEntries([1, 4, 2, 3].map((value, at) => [keys[at], value])),
  );

  assert.equal((await studio.apply([alert({ threshold: 9 }, keys[2])])).status, 200);
  const left = (await studio.read()).slice(1);
  const { changes } = await studio.plan(left, { prune: true });
  assert.deepEqual(
    changes.map(({ action, key }: { action: string; key: string }) => [action, key]),
    [['delete', KEY]],
  );
  assert.equal((await studio.apply(left, { prune: true })).status, 200);
  assert.deepEqual(thresholds(await studio.read()), {
    [keys[1]!]: 4,
    [keys[2]!]: 9,
    [keys[3]!]: 3,
  });
  assert.deepEqual((await studio.plan(left, { prune: true })).changes, []);
});

test('a file with a definition that the routes refuse is refused', async () => {
  const studio = await makeFiles();
  const bad: [Document, RegExp][] = [
    [alert({ period: 'hour' }), /^period must be day for active_players/],
    [alert({ threshold: 101 }), /^threshold must be at most 100/],
    [alert({ event_name: 'e' }), /^event_name must be left out/],
    [alert({ account_ids: [studio.account_id] }), /^account_ids is not allowed/],
    [alert({}, 'staging/X'), /^key must begin with development\/ or production\//],
    [alert({}, 'production/'), /^The name in key must/],
    [alert({}, `production/${'x'.repeat(256)}`), /^The name in key must/],
  ];
  const { problems } = await studio.plan(bad.map(([document]) => document));
  assert.equal(problems.length, bad.length);
  for (const [index, [, expected]] of bad.entries()) assert.match(problems[index].error, expected);
  await server.database.execute(sql`
    UPDATE games SET limit_overrides = '{"alerts":1}' WHERE id = ${studio.game_id}`);
  const { status, body } = await studio.apply([alert({}, 'production/A'), alert()]);
  assert.deepEqual([status, body.resource, body.used], [403, 'alerts', 0]);
  assert.match(body.error, /^alert: the plan makes 2\. /);
  assert.deepEqual(await studio.list(), []);
});

test('an alert of another game stays as it is', async () => {
  const [own, other] = [await makeFiles(), await makeFiles()];
  await other.make();
  await own.make();
  const before_change = await other.list();
  assert.equal((await own.apply([alert({ threshold: 1 })])).status, 200);
  assert.equal((await own.apply([segment], { prune: true })).status, 200);
  assert.deepEqual(await own.list(), []);
  assert.deepEqual(await other.list(), before_change);
});

const segment: Document = { kind: 'segment', key: 'S', definition: { query: 'a=b' } };
