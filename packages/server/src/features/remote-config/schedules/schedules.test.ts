import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from '../../../platform/database/sql.ts';
import { HOUR, openStage } from './test/stage.ts';
import type { Stage } from './test/stage.ts';

suite('scheduled changes of a config', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.server.close());

  test('at the start and the end, the author of the change makes a config version; the last has the old values', async () => {
    const studio = await stage.makeStudio();
    await studio.put({
      gold: { value: 1, rules: [{ percentage: 5, value: 3 }] },
      other: { value: 'x' },
    });
    const start = stage.hours(0.1);
    const end = stage.hours(0.2);
    const { status, body: planned } = await studio.plan({
      starts_at: start,
      ends_at: end,
      parameters: { gold: { value: 2 }, banner: { value: 'Weekend!' } },
    });
    assert.equal(status, 201);
    assert.equal(planned.state, 'coming');
    assert.equal(planned.author, studio.email);
    assert.deepEqual(planned.keys, ['gold', 'banner']);

    stage.clock.now = Date.parse(start) - 1;
    assert.deepEqual(await studio.play(), { gold: 1, other: 'x' });
    stage.clock.now = Date.parse(start);
    assert.deepEqual(await studio.play(), { gold: 2, other: 'x', banner: 'Weekend!' });
    assert.equal((await studio.show(planned.id)).state, 'running');
    stage.clock.now = Date.parse(end) - 1;
    assert.deepEqual(await studio.play(), { gold: 2, other: 'x', banner: 'Weekend!' });
    stage.clock.now = Date.parse(end);
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
    const audit = await stage.server.database.query<{ action: string; account_email: string }>(sql`
      SELECT action, account_email FROM audit_log WHERE game_id = ${studio.game_id} ORDER BY id`);
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['put_config', 'create_config_schedule', 'start_config_schedule', 'end_config_schedule'],
    );
    assert.ok(audit.every(({ account_email }) => account_email === studio.email));
  });

  test('the ETag of the config changes at the start and at the end of a scheduled change, and not in between', async () => {
    const studio = await stage.makeStudio();
    await studio.put({ gold: { value: 1 } });
    const poll = async (etag?: string) => {
      const answer = await stage.server.request('GET', '/v1/config', {
        key: studio.production_key,
        headers: etag ? { 'if-none-match': etag } : {},
      });
      return { status: answer.status, etag: answer.headers.get('etag')! };
    };
    const end = stage.hours(0.2);
    await studio.plan({
      starts_at: stage.hours(0.1),
      ends_at: end,
      parameters: { gold: { value: 2 } },
    });
    const before_start = await poll();
    assert.equal((await poll(before_start.etag)).status, 304);
    stage.clock.now += 0.15 * HOUR;
    const running = await poll(before_start.etag);
    assert.equal(running.status, 200);
    assert.equal((await poll(running.etag)).status, 304);
    stage.clock.now = Date.parse(end);
    assert.equal((await poll(running.etag)).status, 200);
  });

  test('at the end, parameters get their old values again, except one that was edited during the change', async () => {
    const studio = await stage.makeStudio();
    const id = '76561198000000001234';
    await studio.send(
      'PUT',
      '',
      `{"parameters":{"a":{"value":${id}},"b":{"value":1},"c":{"value":1}}}`,
    );
    const { body } = await studio.plan({
      starts_at: stage.hours(0.1),
      ends_at: stage.hours(0.2),
      parameters: { a: { value: 2 }, b: { value: 2 }, c: { value: 2 }, d: { value: 2 } },
    });
    stage.clock.now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { a: 2, b: 2, c: 2, d: 2 });
    await studio.put({ a: { value: 2 }, b: { value: 7 }, d: { value: 2 }, e: { value: 'new' } });
    stage.clock.now += 0.1 * HOUR;
    const played = await stage.server.request('GET', '/v1/config', { key: studio.production_key });
    assert.ok(played.text.includes(`{"a":${id},"b":7,"e":"new"}`), played.text);
    assert.deepEqual((await studio.show(body.id)).kept_keys, ['b', 'c']);
  });

  test('a change without an end stays in effect, and a change without a start begins at once', async () => {
    const studio = await stage.makeStudio();
    const { body } = await studio.plan({ parameters: { gold: { value: 5 } } });
    assert.deepEqual([body.state, body.started_version, body.ends_at], ['done', 1, null]);
    assert.deepEqual(await studio.play(), { gold: 5 });
    const running = await studio.plan({
      ends_at: stage.hours(0.1),
      parameters: { gold: { value: 6 } },
    });
    assert.equal(running.body.state, 'running');
    assert.deepEqual(await studio.play(), { gold: 6 });
    stage.clock.now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 5 });
  });

  test('if one change ends when another begins, the first is ended before the second is started', async () => {
    const studio = await stage.makeStudio();
    await studio.put({ gold: { value: 0 } });
    const plan = (from: number, to: number, value: number) =>
      studio.plan({
        starts_at: stage.hours(from),
        ends_at: stage.hours(to),
        parameters: { gold: { value } },
      });
    await plan(0.2, 0.3, 2);
    await plan(0.1, 0.2, 1);
    const seen = [];
    for (let step = 0; step < 3; step++) {
      stage.clock.now += 0.1 * HOUR;
      seen.push((await studio.play()).gold);
    }
    assert.deepEqual(seen, [1, 2, 0]);
  });

  test('a change that would make the config too large fails with a reason, and changes nothing', async () => {
    const studio = await stage.makeStudio();
    const value = 'x'.repeat(60_000);
    const { body } = await studio.plan({
      starts_at: stage.hours(0.1),
      parameters: { big: { value } },
    });
    await studio.put({ other: { value: 'y'.repeat(220_000) } });
    const refused = await studio.plan({
      starts_at: stage.hours(0.1),
      parameters: { more: { value } },
    });
    assert.deepEqual(
      [refused.status, refused.body.error],
      [400, 'parameters: the config would have more than 256 KB'],
    );
    stage.clock.now += 0.1 * HOUR;
    assert.deepEqual(Object.keys(await studio.play()), ['other']);
    const failed = await studio.show(body.id);
    assert.deepEqual(
      [failed.state, failed.problem],
      ['failed', 'the config would have more than 256 KB'],
    );
  });
});
