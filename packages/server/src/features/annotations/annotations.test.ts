import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  MAX_ANNOTATIONS,
  MAX_ANNOTATIONS_SHOWN,
} from '@overworld/contract/analytics/annotation-limits';
import type { Role } from '@overworld/contract/operation';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { listMoments } from './store.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function makeStudio() {
  const { game_id } = await server.makeGame();
  const path = `/v1/games/${game_id}`;
  const join = async (role: Role) => {
    const { token, email } = await server.makeAccount({ game_id, role });
    return {
      email,
      write: (body: object, query = '') =>
        server.request('POST', `${path}/annotations${query}`, { token, body }),
      patch: (id: string, body: object) =>
        server.request('PATCH', `${path}/annotations/${id}`, { token, body }),
      delete: (id: string) => server.request('DELETE', `${path}/annotations/${id}`, { token }),
      list: async (query = '?from=2026-03-01&to=2026-03-31') =>
        (await server.request('GET', `${path}/annotations${query}`, { token })).body,
      send: (method: string, rest: string, body: object) =>
        server.request(method, path + rest, { token, body }),
    };
  };
  return { game_id, path, join };
}

type Listed = { id: string; kind: string; day: string; at: string | null; text: string };
const texts = ({ annotations }: { annotations: Listed[] }) => annotations.map(({ text }) => text);

test('an annotation of a day or a moment can be written, listed by time, changed and deleted', async () => {
  const { game_id, join } = await makeStudio();
  await server.database.execute(
    sql`UPDATE games SET time_zone = 'Asia/Tokyo' WHERE id = ${game_id}`,
  );
  const mira = await join('developer');
  const day = await mira.write({ text: ' Featured ', day: '2026-03-02' });
  assert.equal(day.status, 201);
  assert.deepEqual(day.body, {
    id: day.body.id,
    kind: 'note',
    day: '2026-03-02',
    at: null,
    text: 'Featured',
    created_by: mira.email,
    may_edit: true,
  });
  const moment = await mira.write({ text: 'Trailer', at: '2026-03-02T17:30:00+01:00' });
  assert.deepEqual([moment.body.day, moment.body.at], ['2026-03-03', '2026-03-02T16:30:00.000Z']);
  await mira.write({ text: 'Elsewhere', day: '2026-03-02' }, '?environment=development');
  await mira.write({ text: 'Later', day: '2026-04-01' });
  const listed = await mira.list();
  assert.deepEqual(listed, {
    from: '2026-03-01',
    to: '2026-03-31',
    time_zone: 'Asia/Tokyo',
    annotations: [day.body, moment.body],
    is_complete: true,
  });
  const changed = await mira.patch(moment.body.id, { day: '2026-03-01' });
  assert.deepEqual(changed.body, { ...moment.body, day: '2026-03-01', at: null });
  assert.equal((await mira.patch(moment.body.id, { text: 'Teaser' })).body.day, '2026-03-01');
  assert.deepEqual(texts(await mira.list()), ['Teaser', 'Featured']);
  assert.equal((await mira.delete(day.body.id)).status, 204);
  const gone = await mira.delete(day.body.id);
  assert.deepEqual([gone.status, gone.body], [404, { error: 'Annotation not found' }]);
});

test('only the author of an annotation and admins may change it', async () => {
  const { join } = await makeStudio();
  const author = await join('developer');
  const other = await join('developer');
  const viewer = await join('viewer');
  const admin = await join('admin');
  const { id } = (await author.write({ text: 'Mine', day: '2026-03-02' })).body;
  for (const somebody of [other, viewer]) {
    assert.equal((await somebody.list()).annotations[0].may_edit, false);
    assert.equal((await somebody.patch(id, { text: 'x' })).status, 403);
    assert.equal((await somebody.delete(id)).status, 403);
  }
  assert.equal((await viewer.write({ text: 'x', day: '2026-03-02' })).status, 403);
  assert.deepEqual(texts(await other.list()), ['Mine']);
  assert.equal((await admin.list()).annotations[0].may_edit, true);
  assert.equal((await admin.patch(id, { text: 'Ours' })).body.text, 'Ours');
  const stranger = await (await makeStudio()).join('owner');
  assert.equal((await stranger.delete(id)).status, 404);
  assert.equal((await author.delete(id)).status, 204);
});

test('config versions and key rotations are annotated automatically, each in its environment', async () => {
  const { join } = await makeStudio();
  const owner = await join('owner');
  const today = new Date().toISOString().slice(0, 10);
  const parameters = { shop: { value: true }, reward: { value: 1 } };
  await owner.send('PUT', '/config', { parameters });
  await owner.send('PUT', '/config', { parameters: { reward: { value: 2 } } });
  await owner.send('POST', '/config/versions/1/rollback', {});
  const key = await owner.send('POST', '/api-keys', { name: 'Live', environment: 'development' });
  await owner.send('POST', `/api-keys/${key.body.id}/rotate`, {});
  const days = `?from=${today}&to=${today}`;
  const listed = await owner.list(days);
  assert.deepEqual(
    listed.annotations.map(({ kind, text, day, may_edit }: Listed & { may_edit: boolean }) => [
      kind,
      text,
      day,
      may_edit,
    ]),
    [
      ['config', 'Remote config version 1: added shop, reward', today, false],
      ['config', 'Remote config version 2: changed reward; removed shop', today, false],
      ['config', 'Remote config version 3, back to 1: added shop; changed reward', today, false],
    ],
  );
  assert.equal(listed.annotations[0].created_by, owner.email);
  const development = await owner.list(`${days}&environment=development`);
  assert.deepEqual(
    development.annotations.map(({ kind, text }: Listed) => [kind, text]),
    [['key_rotation', 'New API key for Live']],
  );
  assert.equal((await owner.delete(listed.annotations[0].id)).status, 400);
});

test('an invalid annotation is refused with an error that names the invalid field', async () => {
  const { join } = await makeStudio();
  const mira = await join('developer');
  const { id } = (await mira.write({ text: 'Right', day: '2026-03-02' })).body;
  for (const [body, error] of [
    [{ text: 'x' }, 'day or at is required'],
    [{ day: '2026-03-02' }, 'text is required'],
    [{ text: ' ', day: '2026-03-02' }, 'text must not be empty'],
    [{ text: 'x'.repeat(301), day: '2026-03-02' }, 'text must have at most 300 characters'],
    [{ text: 'x\u0000', day: '2026-03-02' }, 'text must not contain \\u0000'],
    [{ text: 'x', day: '2026-02-30' }, 'day must be a valid date'],
    [{ text: 'x', at: '2026-13-01T00:00:00Z' }, 'at must be a valid ISO 8601 time'],
    [{ text: 'x', at: '1900-01-01T00:00:00Z' }, 'at must be in the years 1970 to 2100'],
    [{ text: 'x', day: '2026-03-02', at: '2026-03-02T00:00:00Z' }, 'at must not stand beside day'],
  ] as const) {
    const { status, body: answered } = await mira.write(body);
    assert.deepEqual([status, answered], [400, { error }]);
  }
  assert.equal((await mira.patch(id, {})).status, 400);
  assert.deepEqual(texts(await mira.list()), ['Right']);
});

test('the number of annotations of a game is limited, and a long list has only the latest annotations', async () => {
  const { game_id, join } = await makeStudio();
  const mira = await join('developer');
  await server.database.execute(sql`
    INSERT INTO annotations (game_id, environment, day, text)
    SELECT ${game_id}, 'production', date '2026-03-01' + number % 31, number::text
    FROM generate_series(1, ${MAX_ANNOTATIONS - 1}::integer) AS number`);
  const answers = await Promise.all(
    [1, 2, 3].map((n) => mira.write({ text: `${n}`, day: '2026-03-31' })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  const { annotations, is_complete } = await mira.list();
  assert.deepEqual([annotations.length, is_complete], [MAX_ANNOTATIONS_SHOWN, false]);
  assert.equal(annotations.at(-1).day, '2026-03-31');
});

test('if a config version changes very many keys, the server loads only the beginning of the list of keys', async () => {
  const { game_id, join } = await makeStudio();
  const mira = await join('developer');
  await server.database.execute(sql`
    INSERT INTO audit_log (game_id, action, target, at, details)
    SELECT ${game_id}, 'put_config', 'production', '2026-03-02T12:00:00Z',
           jsonb_build_object('version', 7, 'changed', '[]'::jsonb, 'added',
             (SELECT jsonb_agg(n || repeat('x', 250)) FROM generate_series(1, 1000) AS n))`);
  const tenant = { game_id, environment: 'production' } as const;
  const [starts_at, ends_at] = ['2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z'];
  const range = { from: '', to: '', today: '', time_zone: 'UTC', starts_at, ends_at };
  const moments = await listMoments(server.database, tenant, range, 10);
  assert.ok(JSON.stringify(moments).length < 1_000);
  const [text] = texts(await mira.list());
  assert.equal(text!.length, 300);
  assert.match(text!, /^Remote config version 7: added 1x+, 2x+…$/);
});

test('config versions that a scheduled change makes are annotated too', async () => {
  const { game_id, join } = await makeStudio();
  const mira = await join('developer');
  await server.database.execute(sql`
    INSERT INTO audit_log (game_id, action, target, at, details)
    SELECT ${game_id}, action, 'production', '2026-03-02T12:00:00Z',
           jsonb_build_object('version', 8, 'changed', '["speed"]'::jsonb)
    FROM unnest(ARRAY['start_config_schedule', 'end_config_schedule']) AS action`);
  const text = 'Remote config version 8: changed speed';
  assert.deepEqual(texts(await mira.list()), [text, text]);
});
