import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MAX_OPEN_SCHEDULES } from '@overworld/contract/remote-config/schedules';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

const HOUR = 3_600_000;

suite('scheduled changes of a config', () => {
  /** Time of the server; a test moves it on for all. */
  let now = Date.now();
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ clock: () => new Date(now) });
  });
  after(() => server.close());

  const hours = (count: number) => new Date(now + count * HOUR).toISOString();

  async function makeStudio(role: 'developer' | 'viewer' = 'developer') {
    const game = await server.makeGame();
    const account = await server.makeAccount({ game_id: game.game_id, role });
    const { token } = account;
    const path = `/v1/games/${game.game_id}/config`;
    const send = async (method: string, rest: string, body?: unknown) =>
      server.request(method, path + rest, { token, body });
    return {
      ...game,
      ...account,
      send,
      put: (parameters: object) => send('PUT', '', { parameters }),
      plan: (fields: object) => send('POST', '/schedules', { name: 'Weekend', ...fields }),
      show: async (id: string) => (await send('GET', `/schedules/${id}`)).body,
      play: async () =>
        (await server.request('GET', '/v1/config', { key: game.production_key })).body.config,
    };
  }

  test('the parameters change at the start and return at the end, by versions of their author', async () => {
    const studio = await makeStudio();
    await studio.put({
      gold: { value: 1, rules: [{ percentage: 5, value: 3 }] },
      other: { value: 'x' },
    });
    const start = hours(0.1);
    const end = hours(0.2);
    const { status, body: planned } = await studio.plan({
      starts_at: start,
      ends_at: end,
      parameters: { gold: { value: 2 }, banner: { value: 'Weekend!' } },
    });
    assert.equal(status, 201);
    assert.equal(planned.state, 'coming');
    assert.equal(planned.author, studio.email);
    assert.deepEqual(planned.keys, ['gold', 'banner']);

    now = Date.parse(start) - 1;
    assert.deepEqual(await studio.play(), { gold: 1, other: 'x' });
    now = Date.parse(start);
    assert.deepEqual(await studio.play(), { gold: 2, other: 'x', banner: 'Weekend!' });
    assert.equal((await studio.show(planned.id)).state, 'running');
    now = Date.parse(end) - 1;
    assert.deepEqual(await studio.play(), { gold: 2, other: 'x', banner: 'Weekend!' });
    now = Date.parse(end);
    assert.deepEqual(await studio.play(), { gold: 1, other: 'x' });

    const done = await studio.show(planned.id);
    assert.deepEqual(
      [done.state, done.started_version, done.ended_version, done.kept_keys, done.closed_at],
      ['done', 2, 3, [], end],
    );
    const { versions } = (await studio.send('GET', '/versions')).body;
    const { id } = planned;
    assert.deepEqual(
      versions.map((each: { schedule: object; created_by: string }) => [
        each.schedule,
        each.created_by,
      ]),
      [
        [{ id, name: 'Weekend', edge: 'end' }, studio.email],
        [{ id, name: 'Weekend', edge: 'start' }, studio.email],
        [null, studio.email],
      ],
    );
    assert.deepEqual(
      (await studio.send('GET', '')).body.parameters,
      (await studio.send('GET', '/versions/1')).body.parameters,
    );
    const audit = await server.database.query<{ action: string; account_email: string }>(sql`
      SELECT action, account_email FROM audit_log WHERE game_id = ${studio.game_id} ORDER BY id`);
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['put_config', 'create_config_schedule', 'start_config_schedule', 'end_config_schedule'],
    );
    assert.ok(audit.every(({ account_email }) => account_email === studio.email));
  });

  test('the ETag changes with the start and the end, and not between them', async () => {
    const studio = await makeStudio();
    await studio.put({ gold: { value: 1 } });
    const poll = async (etag?: string) => {
      const answer = await server.request('GET', '/v1/config', {
        key: studio.production_key,
        headers: etag ? { 'if-none-match': etag } : {},
      });
      return { status: answer.status, etag: answer.headers.get('etag')! };
    };
    const end = hours(0.2);
    await studio.plan({ starts_at: hours(0.1), ends_at: end, parameters: { gold: { value: 2 } } });
    const before_start = await poll();
    assert.equal((await poll(before_start.etag)).status, 304);
    now += 0.15 * HOUR;
    const running = await poll(before_start.etag);
    assert.equal(running.status, 200);
    assert.equal((await poll(running.etag)).status, 304);
    now = Date.parse(end);
    assert.equal((await poll(running.etag)).status, 200);
  });

  test('a parameter that somebody changes by hand stays so after the end; the others return', async () => {
    const studio = await makeStudio();
    const id = '76561198000000001234';
    await studio.send(
      'PUT',
      '',
      `{"parameters":{"a":{"value":${id}},"b":{"value":1},"c":{"value":1}}}`,
    );
    const { body } = await studio.plan({
      starts_at: hours(0.1),
      ends_at: hours(0.2),
      parameters: { a: { value: 2 }, b: { value: 2 }, c: { value: 2 }, d: { value: 2 } },
    });
    now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { a: 2, b: 2, c: 2, d: 2 });
    await studio.put({ a: { value: 2 }, b: { value: 7 }, d: { value: 2 }, e: { value: 'new' } });
    now += 0.1 * HOUR;
    const played = await server.request('GET', '/v1/config', { key: studio.production_key });
    assert.ok(played.text.includes(`{"a":${id},"b":7,"e":"new"}`), played.text);
    assert.deepEqual((await studio.show(body.id)).kept_keys, ['b', 'c']);
  });

  test('a change without an end stays, and begins at once when no start is given', async () => {
    const studio = await makeStudio();
    const { body } = await studio.plan({ parameters: { gold: { value: 5 } } });
    assert.deepEqual([body.state, body.started_version, body.ends_at], ['done', 1, null]);
    assert.deepEqual(await studio.play(), { gold: 5 });
    const running = await studio.plan({ ends_at: hours(0.1), parameters: { gold: { value: 6 } } });
    assert.equal(running.body.state, 'running');
    assert.deepEqual(await studio.play(), { gold: 6 });
    now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 5 });
  });

  test('two changes of one parameter at one time are refused with the other one named', async () => {
    const studio = await makeStudio();
    const span = (from: number, to: number | null, key = 'gold') =>
      studio.plan({
        starts_at: hours(from),
        ends_at: to === null ? null : hours(to),
        parameters: { [key]: { value: from } },
      });
    const first = await span(2, 4);
    assert.equal(first.status, 201);
    for (const [from, to] of [
      [1, 3],
      [3, 5],
      [2, 4],
      [2.5, 3],
      [1, 5],
      [2, null],
      [3, null],
    ] as const) {
      const refused = await span(from, to);
      assert.equal(refused.status, 409, `${from} to ${to}`);
      assert.equal(refused.body.schedule_id, first.body.id);
      assert.equal(refused.body.key, 'gold');
      assert.equal(
        refused.body.error,
        `gold is changed by "Weekend" from ${first.body.starts_at} to ${first.body.ends_at}`,
      );
    }
    for (const [from, to] of [
      [1, 2],
      [4, 5],
      [0.5, null],
      [6, null],
    ] as const) {
      assert.equal((await span(from, to)).status, 201, `${from} to ${to}`);
    }
    assert.equal((await span(2, 4, 'silver')).status, 201);
    assert.equal((await span(6, null)).status, 409);
    const elsewhere = await studio.send('POST', '/schedules?environment=development', {
      name: 'Trial',
      starts_at: hours(2),
      parameters: { gold: { value: 1 } },
    });
    assert.equal(elsewhere.status, 201);
    const moved = await studio.send('PATCH', `/schedules/${first.body.id}`, {
      ends_at: hours(4.5),
    });
    assert.equal(moved.status, 409);
    assert.equal((await studio.show(first.body.id)).ends_at, first.body.ends_at);
  });

  test('of two changes at one moment the one that ends returns before the other begins', async () => {
    const studio = await makeStudio();
    await studio.put({ gold: { value: 0 } });
    const plan = (from: number, to: number, value: number) =>
      studio.plan({ starts_at: hours(from), ends_at: hours(to), parameters: { gold: { value } } });
    await plan(0.2, 0.3, 2);
    await plan(0.1, 0.2, 1);
    const seen = [];
    for (let step = 0; step < 3; step++) {
      now += 0.1 * HOUR;
      seen.push((await studio.play()).gold);
    }
    assert.deepEqual(seen, [1, 2, 0]);
  });

  test('a coming change is edited and cancelled; of a running one the end alone can be set', async () => {
    const studio = await makeStudio();
    await studio.put({ gold: { value: 0 } });
    const { body } = await studio.plan({ starts_at: hours(5), parameters: { gold: { value: 1 } } });
    const patch = (fields: object) => studio.send('PATCH', `/schedules/${body.id}`, fields);
    const edited = await patch({
      name: 'Sunday',
      starts_at: hours(0.1),
      ends_at: hours(0.3),
      parameters: { gold: { value: 9 } },
    });
    assert.deepEqual([edited.status, edited.body.name], [200, 'Sunday']);
    now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 9 });
    for (const fields of [{ starts_at: hours(1) }, { parameters: { gold: { value: 3 } } }]) {
      const refused = await patch(fields);
      assert.equal(refused.status, 409);
      assert.match(refused.body.error, /has begun/);
    }
    assert.equal((await patch({ ends_at: hours(0.1) })).status, 200);
    now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 0 });
    assert.equal((await patch({ name: 'x' })).status, 409);

    const next = await studio.plan({ starts_at: hours(0.1), parameters: { gold: { value: 4 } } });
    const cancel = (id: string) => studio.send('POST', `/schedules/${id}/cancel`);
    assert.equal((await cancel(next.body.id)).body.state, 'cancelled');
    now += 0.2 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 0 });
    const again = await cancel(next.body.id);
    assert.deepEqual(
      [again.status, again.body.error],
      [409, 'The scheduled change is over already'],
    );

    const running = await studio.plan({ ends_at: hours(1), parameters: { gold: { value: 8 } } });
    assert.deepEqual(await studio.play(), { gold: 8 });
    const ended = await cancel(running.body.id);
    assert.deepEqual(
      [ended.body.state, ended.body.closed_at],
      ['done', new Date(now).toISOString()],
    );
    assert.deepEqual(await studio.play(), { gold: 0 });

    const kept = await studio.plan({ ends_at: hours(1), parameters: { gold: { value: 8 } } });
    const stays = await studio.send('PATCH', `/schedules/${kept.body.id}`, { ends_at: null });
    assert.equal(stays.body.state, 'done');
    now += 2 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 8 });
  });

  test('of two editors of a change the second is told, and overwrites nothing', async () => {
    const studio = await makeStudio();
    const parameters = { gold: { value: 1 } };
    const { body: seen } = await studio.plan({ starts_at: hours(5), parameters });
    const patch = (fields: object) => studio.send('PATCH', `/schedules/${seen.id}`, fields);
    assert.equal(seen.version, 1);
    const first = await patch({ version: 1, name: 'First' });
    assert.deepEqual([first.status, first.body.version], [200, 2]);
    const second = await patch({ version: 1, name: 'Second' });
    assert.deepEqual(
      [second.status, second.body],
      [409, { error: 'Version conflict', server_version: 2 }],
    );
    assert.equal((await studio.show(seen.id)).name, 'First');
    assert.equal((await patch({ name: 'Any' })).body.version, 3);
  });

  test('a change that would make the config too large fails with the reason, and changes nothing', async () => {
    const studio = await makeStudio();
    const value = 'x'.repeat(60_000);
    const { body } = await studio.plan({ starts_at: hours(0.1), parameters: { big: { value } } });
    await studio.put({ other: { value: 'y'.repeat(220_000) } });
    const refused = await studio.plan({ starts_at: hours(0.1), parameters: { more: { value } } });
    assert.deepEqual(
      [refused.status, refused.body.error],
      [400, 'parameters: the config would have more than 256 KB'],
    );
    now += 0.1 * HOUR;
    assert.deepEqual(Object.keys(await studio.play()), ['other']);
    const failed = await studio.show(body.id);
    assert.deepEqual(
      [failed.state, failed.problem],
      ['failed', 'the config would have more than 256 KB'],
    );
  });

  test('open changes are bounded, and listed by their start; the past is listed newest first', async () => {
    const studio = await makeStudio();
    for (let n = 0; n < MAX_OPEN_SCHEDULES; n++) {
      const fields = { starts_at: hours(100 - n), parameters: { [`k${n}`]: { value: n } } };
      assert.equal((await studio.plan(fields)).status, 201);
    }
    const refused = await studio.plan({ starts_at: hours(1), parameters: { more: { value: 1 } } });
    assert.equal(refused.status, 409);
    const { open } = (await studio.send('GET', '/schedules')).body;
    const starts = open.map(({ starts_at }: { starts_at: string }) => starts_at);
    assert.deepEqual(starts, starts.toSorted());
    for (const { id } of open.slice(0, 2)) {
      await studio.send('POST', `/schedules/${id}/cancel`);
      now += 1_000;
    }
    const listed = (await studio.send('GET', '/schedules')).body;
    assert.equal(listed.open.length, MAX_OPEN_SCHEDULES - 2);
    assert.deepEqual(
      listed.past.map(({ id }: { id: string }) => id),
      [open[1].id, open[0].id],
    );
  });

  test('invalid input is refused with the field named, and stores nothing', async () => {
    const studio = await makeStudio();
    const fine = { name: 'a', starts_at: hours(1), parameters: { a: { value: 1 } } };
    const cases: [object, string][] = [
      [{ name: undefined }, 'name is required'],
      [{ name: '' }, 'name must not be empty'],
      [{ name: 'a\0' }, 'name must not contain \\u0000'],
      [{ starts_at: 'tomorrow' }, 'starts_at must be'],
      [{ starts_at: '2099-02-30T00:00:00Z' }, 'starts_at must be a time'],
      [{ starts_at: '2099-13-01T00:00:00Z' }, 'starts_at must be a time'],
      [{ starts_at: '9999-12-31T23:59:59-23:00' }, 'starts_at is too late'],
      [{ starts_at: hours(-1) }, 'starts_at must be in the future'],
      [{ starts_at: 5 }, 'starts_at must be a string'],
      [{ ends_at: hours(1) }, 'ends_at must be after starts_at'],
      [{ ends_at: {} }, 'ends_at must be'],
      [{ parameters: {} }, 'parameters must have at least 1 entry'],
      [{ parameters: undefined }, 'parameters is required'],
      [{ parameters: { a: {} } }, 'parameters.a.value is required'],
      [{ parameters: { '': { value: 1 } } }, 'A key in parameters must not be empty'],
      [
        { parameters: { a: { value: 1, rules: [{ value: 2 }] } } },
        'parameters.a.rules[0] must state',
      ],
      [
        { parameters: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, { value: 1 }])) },
        'parameters must have at most 50 entries',
      ],
    ];
    for (const [fields, error] of cases) {
      const answer = await studio.plan({ ...fine, ...fields });
      assert.equal(answer.status, 400, error);
      assert.ok(answer.body.error.startsWith(error), `${answer.body.error}, not ${error}`);
    }
    const huge = await studio.plan({ ...fine, parameters: { a: { value: 'x'.repeat(70_000) } } });
    assert.equal(huge.status, 413);
    assert.deepEqual((await studio.send('GET', '/schedules')).body, { open: [], past: [] });
    const made = await studio.plan(fine);
    const path = `/schedules/${made.body.id}`;
    for (const fields of [{ ends_at: hours(0.5) }, { starts_at: hours(-1) }, { name: 5 }]) {
      assert.equal((await studio.send('PATCH', path, fields)).status, 400);
    }
    assert.deepEqual(await studio.show(made.body.id), made.body);
    const unknown = await studio.send('GET', '/schedules/00000000-0000-4000-8000-000000000000');
    assert.deepEqual(unknown.body, { error: 'Scheduled change not found' });
    assert.equal((await studio.send('GET', `${path}?environment=development`)).status, 404);
    const viewer = await makeStudio('viewer');
    assert.equal((await viewer.plan(fine)).status, 403);
    assert.equal((await viewer.send('GET', '/schedules')).status, 200);
  });
});
