import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MAX_DASHBOARD_LINKS } from '@overworld/contract/dashboards/limits';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { hashToken } from '../../../platform/auth/random-token.ts';
import { deleteOldLinks } from './link-store.ts';

let server: TestServer;
before(async () => {
  // The server has only one worker, because each worker has its own cache of answers.
  server = await startTestServer({ env: { WORKERS: '1' } });
});
after(() => server.close());

const CARDS = [
  { title: 'Events', report: 'events', chart: 'counts', query: 'event_name=run', last_days: 7 },
  { title: 'Late', report: 'data-quality', chart: 'late' },
];

async function makeStudio() {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token, email } = await server.makeAccount({ game_id, role: 'admin' });
  const path = `/v1/games/${game_id}/dashboards`;
  const { body } = await server.request('POST', path, {
    token,
    body: { name: 'Launch', cards: CARDS },
  });
  const links = `${path}/${body.id}/links`;
  const track = async (event_name: string) => {
    const event = { event_name, session_id: 's', player_id: 'a secret player' };
    await server.request('POST', '/v1/track', { key, body: event });
    await waitForIngest(server.database, game_id);
  };
  return {
    ...game,
    token,
    email,
    links,
    dashboard: body,
    track,
    make: (wanted: object = { environment: 'production' }) =>
      server.request('POST', links, { token, body: wanted }),
    list: async () => (await server.request('GET', links, { token })).body.links,
    revoke: (id: string) => server.request('DELETE', `${links}/${id}`, { token }),
    patch: (change: object) =>
      server.request('PATCH', `${path}/${body.id}`, { token, body: change }),
    drop: () => server.request('DELETE', `${path}/${body.id}`, { token }),
  };
}

const secretOf = ({ link }: { link: string }) => link.split('#')[1]!;
const open = (secret: string, card_id?: string) =>
  server.request('GET', `/v1/shared-dashboard${card_id ? `/cards/${card_id}` : ''}`, {
    headers: { 'x-dashboard-link': secret },
  });

test('a link shows the dashboard and the reports of its cards, without an account', async () => {
  const studio = await makeStudio();
  await studio.track('run');
  const made = await studio.make({ environment: 'production', note: 'The publisher' });
  assert.equal(made.status, 201);
  const { link, ...shown } = made.body;
  assert.match(link, /^http:\/\/[^/]+\/shared#[\w-]{32}$/);
  assert.equal(shown.created_by, studio.email);
  const days = (Date.parse(shown.expires_at) - Date.parse(shown.created_at)) / 86_400_000;
  assert.equal(Math.round(days), 30);
  assert.deepEqual(await studio.list(), [shown]);

  const { status, body, headers } = await open(secretOf(made.body));
  assert.equal(status, 200);
  assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual(
    [body.game_name, body.name, body.environment],
    ['Test game', 'Launch', 'production'],
  );
  const [events] = body.cards;
  assert.equal(events.query, 'event_name=run');
  assert.equal((Date.parse(events.to) - Date.parse(events.from)) / 86_400_000, 6);
  const report = await open(secretOf(made.body), events.id);
  assert.equal(report.status, 200);
  assert.equal(report.headers.get('cache-control'), 'no-store');
  assert.deepEqual(
    [report.body.report.event_count, report.body.report.from, report.body.report.to],
    [1, events.from, events.to],
  );
  assert.ok((await studio.list())[0].last_used_at);
});

test('a link shows only the reports of its cards, only its environment, and no API keys', async () => {
  const studio = await makeStudio();
  const other = await makeStudio();
  await studio.track('run');
  const { body } = await studio.make({ environment: 'development' });
  const [events, late] = studio.dashboard.cards;
  const development = await open(secretOf(body), events.id);
  assert.equal(development.body.report.event_count, 0);
  const foreign = await open(secretOf(body), other.dashboard.cards[0].id);
  assert.deepEqual([foreign.status, foreign.body], [404, { error: 'Card not found' }]);
  const asked = await server.request(
    'GET',
    `/v1/shared-dashboard/cards/${events.id}?environment=production&event_name=other&from=2020-01-01`,
    { headers: { 'x-dashboard-link': secretOf(body) } },
  );
  assert.deepEqual(asked.body.report, development.body.report);

  const production = (await studio.make()).body;
  const quality = await open(secretOf(production), late.id);
  assert.equal(quality.body.report.days[0].event_count, 1);
  assert.doesNotMatch(quality.text, /key_id|key_name|schemas|a secret player/);
  const answer = await server.request('GET', `/v1/games/${studio.game_id}`, {
    headers: { authorization: `Bearer ${secretOf(production)}` },
  });
  assert.equal(answer.status, 401);
});

test('a revoked or expired link is refused with the reason, and an unknown link is not found', async () => {
  const studio = await makeStudio();
  const revoked = (await studio.make()).body;
  const expired = (await studio.make()).body;
  const [{ id }] = studio.dashboard.cards;
  assert.equal((await open(secretOf(revoked), id)).status, 200);
  assert.equal((await studio.revoke(revoked.id)).status, 204);
  await server.database.execute(
    sql`UPDATE dashboard_links SET expires_at = now() WHERE id = ${expired.id}`,
  );
  for (const [link, error, code] of [
    [revoked, 'This link was revoked', 'LINK_REVOKED'],
    [expired, 'This link has expired', 'LINK_EXPIRED'],
  ]) {
    for (const card_id of [undefined, id]) {
      const { status, body, headers } = await open(secretOf(link), card_id);
      assert.deepEqual([status, body], [410, { error, code }]);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  }
  assert.deepEqual(await studio.list(), []);
  assert.equal((await studio.revoke(revoked.id)).status, 404);
  for (const headers of [undefined, { 'x-dashboard-link': 'x'.repeat(32) }]) {
    const { status, body } = await server.request('GET', '/v1/shared-dashboard', { headers });
    assert.deepEqual([status, body], [404, { error: 'Link not found' }]);
  }
});

test('a link shows its dashboard as it is now: a removed card and a deleted dashboard are gone', async () => {
  const studio = await makeStudio();
  const { body } = await studio.make();
  const [first, second] = studio.dashboard.cards;
  await studio.patch({ cards: [second] });
  assert.equal((await open(secretOf(body), first.id)).status, 404);
  assert.equal((await open(secretOf(body))).body.cards.length, 1);
  await studio.drop();
  assert.equal((await open(secretOf(body))).status, 404);
});

test('a report is made at most once per minute for all readers of all links', async () => {
  const studio = await makeStudio();
  await studio.track('run');
  const links = [(await studio.make()).body, (await studio.make()).body];
  const [{ id }] = studio.dashboard.cards;
  const first = (await open(secretOf(links[0]), id)).body;
  await studio.track('run');
  const answers = await Promise.all([...links, ...links].map((link) => open(secretOf(link), id)));
  for (const { body } of answers) assert.deepEqual(body, first);
  const moved = { ...studio.dashboard.cards[0], last_days: 8 };
  await studio.patch({ cards: [moved] });
  assert.equal((await open(secretOf(links[0]), id)).body.report.event_count, 2);
});

test('only the hash of a secret is stored, and links are deleted a month after their end', async () => {
  const studio = await makeStudio();
  const kept = (await studio.make()).body;
  const old = (await studio.make()).body;
  await studio.revoke(old.id);
  await server.database.execute(
    sql`UPDATE dashboard_links SET revoked_at = now() - interval '31 days' WHERE id = ${old.id}`,
  );
  await deleteOldLinks(server.database);
  const rows = await server.database.query<{ id: string; row: string; token_hash: string }>(sql`
    SELECT id, token_hash, dashboard_links::text AS row FROM dashboard_links
    WHERE game_id = ${studio.game_id}`);
  assert.deepEqual(
    rows.map(({ id }) => id),
    [kept.id],
  );
  assert.equal(rows[0]!.token_hash, hashToken(secretOf(kept)));
  assert.ok(!rows[0]!.row.includes(secretOf(kept)));
});

test('only admins may list, make and revoke links, and the fields and the number of links are limited', async () => {
  const studio = await makeStudio();
  const { id } = (await studio.make()).body;
  const developer = await server.makeAccount({ game_id: studio.game_id, role: 'developer' });
  for (const [method, path] of [
    ['GET', studio.links],
    ['POST', studio.links],
    ['DELETE', `${studio.links}/${id}`],
  ] as const) {
    const body = method === 'POST' ? { environment: 'production' } : undefined;
    const { status } = await server.request(method, path, { token: developer.token, body });
    assert.equal(status, 403, method);
  }
  for (const [wanted, error] of [
    [{}, 'environment is required'],
    [{ environment: 'test' }, 'environment must be one of development, production'],
    [{ environment: 'production', expires_in_days: 366 }, 'expires_in_days must be at most 365'],
    [{ environment: 'production', expires_in_days: 0 }, 'expires_in_days must be at least 1'],
    [{ environment: 'production', note: 'x'.repeat(101) }, 'note must have at most 100 characters'],
  ] as const) {
    const { status, body } = await studio.make(wanted);
    assert.deepEqual([status, body], [400, { error }]);
  }
  await server.database.execute(sql`
    INSERT INTO dashboard_links (game_id, dashboard_id, environment, token_hash, note, expires_at)
    SELECT ${studio.game_id}, ${studio.dashboard.id}, 'production', gen_random_uuid()::text, '',
           now() + interval '1 day'
    FROM generate_series(1, ${MAX_DASHBOARD_LINKS - 3}::integer)`);
  const answers = await Promise.all([1, 2, 3, 4].map(() => studio.make()));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409]);
  const { body } = await server.request('GET', studio.links.replace(/\/[^/]+\/links$/, ''), studio);
  assert.equal(body.dashboards[0].link_count, MAX_DASHBOARD_LINKS);
});

suite('with two servers', () => {
  const servers = useTwoServers();

  test('when a link is revoked on one server, another server refuses it at once, even with a cached answer', async () => {
    const [first, second] = servers;
    const { game_id } = await first.makeGame();
    const { token } = await first.makeAccount({ game_id });
    const path = `/v1/games/${game_id}/dashboards`;
    const body = { name: 'Both', cards: CARDS };
    const made = (await first.request('POST', path, { token, body })).body;
    const links = `${path}/${made.id}/links`;
    const environment = { environment: 'production' };
    const link = (await first.request('POST', links, { token, body: environment })).body;
    const card = `/v1/shared-dashboard/cards/${made.cards[0].id}`;
    const headers = { 'x-dashboard-link': secretOf(link) };
    assert.equal((await second.request('GET', card, { headers })).status, 200);
    await first.request('DELETE', `${links}/${link.id}`, { token });
    assert.equal((await second.request('GET', card, { headers })).status, 410);
  });
});
