import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  MAX_SAVED_QUERY_LENGTH,
  MAX_SAVED_REPORTS,
} from '@overworld/contract/analytics/saved-reports';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function makeStudio() {
  const { game_id } = await server.makeGame();
  const { token, email } = await server.makeAccount({ game_id, role: 'developer' });
  const path = `/v1/games/${game_id}/saved-reports`;
  const at = (kind: string, name: string) => `${path}/${kind}/${encodeURIComponent(name)}`;
  return {
    game_id,
    token,
    email,
    path,
    put: (kind: string, name: string, query: unknown) =>
      server.request('PUT', at(kind, name), { token, body: { query } }),
    delete: (kind: string, name: string) => server.request('DELETE', at(kind, name), { token }),
    list: async (query = '', as = token) =>
      (await server.request('GET', path + query, { token: as })).body,
    names: async (query = '') =>
      (await server.request('GET', path + query, { token })).body.saved_reports.map(
        ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`,
      ),
  };
}

test('a report is saved, replaced and deleted by its kind and name, and is returned unchanged', async () => {
  const studio = await makeStudio();
  const query = 'steps=%5B%7B%22event_name%22%3A%22a%26b%22%7D%5D&window_minutes=60';
  const { status, body } = await studio.put('funnel', 'Shop / week 1 <b>', query);
  assert.equal(status, 200);
  assert.ok(Math.abs(Date.parse(body.updated_at) - Date.now()) < 60_000);
  assert.deepEqual(body, { ...body, kind: 'funnel', name: 'Shop / week 1 <b>', query });
  assert.deepEqual((await studio.list()).saved_reports, [body]);

  await studio.put('funnel', 'Shop / week 1 <b>', 'steps=other');
  await studio.put('segment', 'Shop / week 1 <b>', 'tag=vip');
  assert.deepEqual(
    (await studio.list()).saved_reports.map((each: { query: string }) => each.query),
    ['steps=other', 'tag=vip'],
  );
  assert.equal((await studio.delete('funnel', 'Shop / week 1 <b>')).status, 204);
  const again = await studio.delete('funnel', 'Shop / week 1 <b>');
  assert.deepEqual([again.status, again.body], [404, { error: 'Saved report not found' }]);
  assert.deepEqual(await studio.names(), ['segment Shop / week 1 <b>']);
});

test('reports are listed in pages by kind and name, and on request only one kind is listed', async () => {
  const studio = await makeStudio();
  for (const name of ['c', 'a', 'b']) {
    await studio.put('segment', name, 'tag=x');
    await studio.put('funnel', name, 'steps=x');
  }
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { saved_reports: { kind: string; name: string }[]; next_cursor: string | null } =
      await studio.list(`?limit=4${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.saved_reports.map(({ kind, name }) => `${kind} ${name}`));
    cursor = page.next_cursor;
  }
  const all = ['funnel', 'segment'].flatMap((kind) => ['a', 'b', 'c'].map((n) => `${kind} ${n}`));
  assert.deepEqual(seen, all);
  assert.deepEqual(await studio.names('?kind=segment'), all.slice(3));
  const wrong = await server.request('GET', `${studio.path}?cursor=WyJhIl0`, studio);
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'cursor is not valid']);
});

test('a viewer may read reports but not save them, and games do not share reports', async () => {
  const studio = await makeStudio();
  await studio.put('breakdown', 'Spending', 'event_name=purchase');
  const viewer = await server.makeAccount({ game_id: studio.game_id, role: 'viewer' });
  assert.equal((await studio.list('', viewer.token)).saved_reports.length, 1);
  for (const method of ['PUT', 'DELETE']) {
    const { status } = await server.request(method, `${studio.path}/breakdown/Spending`, {
      token: viewer.token,
      ...(method === 'PUT' && { body: { query: 'event_name=x' } }),
    });
    assert.equal(status, 403, method);
  }
  const other = await makeStudio();
  assert.deepEqual(await other.names(), []);
  assert.equal((await other.delete('breakdown', 'Spending')).status, 404);
  assert.deepEqual(await studio.names(), ['breakdown Spending']);
});

test('an unknown kind or an empty or too long query is refused with the name of the field', async () => {
  const studio = await makeStudio();
  const refusals = [
    [await studio.put('retention', 'x', 'a=b'), /^kind/],
    [await studio.put('funnel', 'x', ''), /^query/],
    [await studio.put('funnel', 'x', 'x'.repeat(MAX_SAVED_QUERY_LENGTH + 1)), /^query/],
  ] as const;
  for (const [{ status, body }, words] of refusals) {
    assert.equal(status, 400);
    assert.match(body.error, words);
  }
  assert.deepEqual(await studio.names(), []);
});

test(`a game has at most ${MAX_SAVED_REPORTS} saved reports, even after concurrent requests`, async () => {
  const studio = await makeStudio();
  await server.database.execute(sql`
    INSERT INTO saved_reports (game_id, kind, name, query, updated_at)
    SELECT ${studio.game_id}, 'funnel', number::text, 'steps=x', now()
    FROM generate_series(1, ${MAX_SAVED_REPORTS - 2}::integer) AS number`);
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => studio.put('segment', name, 'tag=x')),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409]);
  assert.equal((await studio.put('funnel', '1', 'steps=y')).status, 200);
});

test('saving and deleting leave entries in the audit log', async () => {
  const studio = await makeStudio();
  await studio.put('funnel', 'Shop', 'steps=x');
  await studio.delete('funnel', 'Shop');
  const { body } = await server.request('GET', `/v1/games/${studio.game_id}/audit-log`, studio);
  assert.deepEqual(
    body.audit_log.map((entry: Record<string, unknown>) => [
      entry.account_email,
      entry.action,
      entry.target,
      entry.details,
    ]),
    [
      [studio.email, 'delete_saved_report', 'Shop', { kind: 'funnel' }],
      [studio.email, 'put_saved_report', 'Shop', { kind: 'funnel', query: 'steps=x' }],
    ],
  );
});
