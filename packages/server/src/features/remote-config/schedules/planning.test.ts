import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MAX_OPEN_SCHEDULES } from '@overworld/contract/remote-config/schedules';
import { HOUR, openStage } from './test/stage.ts';
import type { Stage } from './test/stage.ts';

suite('plans of scheduled changes', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.server.close());

  test('a change is refused if another changes the same parameter at that time, and the answer names the other', async () => {
    const studio = await stage.makeStudio();
    const span = (from: number, to: number | null, key = 'gold') =>
      studio.plan({
        starts_at: stage.hours(from),
        ends_at: to === null ? null : stage.hours(to),
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
      starts_at: stage.hours(2),
      parameters: { gold: { value: 1 } },
    });
    assert.equal(elsewhere.status, 201);
    const moved = await studio.send('PATCH', `/schedules/${first.body.id}`, {
      ends_at: stage.hours(4.5),
    });
    assert.equal(moved.status, 409);
    assert.equal((await studio.show(first.body.id)).ends_at, first.body.ends_at);
  });

  test('a coming change can be edited, but not the start or the parameters of a running change', async () => {
    const studio = await stage.makeStudio();
    await studio.put({ gold: { value: 0 } });
    const { body } = await studio.plan({
      starts_at: stage.hours(5),
      parameters: { gold: { value: 1 } },
    });
    const patch = (fields: object) => studio.send('PATCH', `/schedules/${body.id}`, fields);
    const edited = await patch({
      name: 'Sunday',
      starts_at: stage.hours(0.1),
      ends_at: stage.hours(0.3),
      parameters: { gold: { value: 9 } },
    });
    assert.deepEqual([edited.status, edited.body.name], [200, 'Sunday']);
    stage.clock.now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 9 });
    for (const fields of [{ starts_at: stage.hours(1) }, { parameters: { gold: { value: 3 } } }]) {
      const refused = await patch(fields);
      assert.equal(refused.status, 409);
      assert.match(refused.body.error, /has begun/);
    }
    assert.equal((await patch({ ends_at: stage.hours(0.1) })).status, 200);
    stage.clock.now += 0.1 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 0 });
    assert.equal((await patch({ name: 'x' })).status, 409);

    const next = await studio.plan({
      starts_at: stage.hours(0.1),
      parameters: { gold: { value: 4 } },
    });
    const cancel = (id: string) => studio.send('POST', `/schedules/${id}/cancel`);
    assert.equal((await cancel(next.body.id)).body.state, 'cancelled');
    stage.clock.now += 0.2 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 0 });
    const again = await cancel(next.body.id);
    assert.deepEqual(
      [again.status, again.body.error],
      [409, 'The scheduled change is over already'],
    );

    const running = await studio.plan({
      ends_at: stage.hours(1),
      parameters: { gold: { value: 8 } },
    });
    assert.deepEqual(await studio.play(), { gold: 8 });
    const ended = await cancel(running.body.id);
    assert.deepEqual(
      [ended.body.state, ended.body.closed_at],
      ['done', new Date(stage.clock.now).toISOString()],
    );
    assert.deepEqual(await studio.play(), { gold: 0 });

    const kept = await studio.plan({ ends_at: stage.hours(1), parameters: { gold: { value: 8 } } });
    const stays = await studio.send('PATCH', `/schedules/${kept.body.id}`, { ends_at: null });
    assert.equal(stays.body.state, 'done');
    stage.clock.now += 2 * HOUR;
    assert.deepEqual(await studio.play(), { gold: 8 });
  });

  test('an edit of a change is refused if somebody else has edited the change meanwhile', async () => {
    const studio = await stage.makeStudio();
    const parameters = { gold: { value: 1 } };
    const { body: seen } = await studio.plan({ starts_at: stage.hours(5), parameters });
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

  test('open changes are limited in number and sorted by start, and past changes newest first', async () => {
    const studio = await stage.makeStudio();
    for (let n = 0; n < MAX_OPEN_SCHEDULES; n++) {
      const fields = { starts_at: stage.hours(100 - n), parameters: { [`k${n}`]: { value: n } } };
      assert.equal((await studio.plan(fields)).status, 201);
    }
    const refused = await studio.plan({
      starts_at: stage.hours(1),
      parameters: { more: { value: 1 } },
    });
    assert.equal(refused.status, 409);
    const { open } = (await studio.send('GET', '/schedules')).body;
    const starts = open.map(({ starts_at }: { starts_at: string }) => starts_at);
    assert.deepEqual(starts, starts.toSorted());
    for (const { id } of open.slice(0, 2)) {
      await studio.send('POST', `/schedules/${id}/cancel`);
      stage.clock.now += 1_000;
    }
    const listed = (await studio.send('GET', '/schedules')).body;
    assert.equal(listed.open.length, MAX_OPEN_SCHEDULES - 2);
    assert.deepEqual(
      listed.past.map(({ id }: { id: string }) => id),
      [open[1].id, open[0].id],
    );
  });

  test('invalid input is refused, the error names the field, and nothing is stored', async () => {
    const studio = await stage.makeStudio();
    const fine = { name: 'a', starts_at: stage.hours(1), parameters: { a: { value: 1 } } };
    const cases: [object, string][] = [
      [{ name: undefined }, 'name is required'],
      [{ name: '' }, 'name must not be empty'],
      [{ name: 'a\0' }, 'name must not contain \\u0000'],
      [{ starts_at: 'tomorrow' }, 'starts_at must be'],
      [{ starts_at: '2099-02-30T00:00:00Z' }, 'starts_at must be a time'],
      [{ starts_at: '2099-13-01T00:00:00Z' }, 'starts_at must be a time'],
      [{ starts_at: '9999-12-31T23:59:59-23:00' }, 'starts_at is too late'],
      [{ starts_at: stage.hours(-1) }, 'starts_at must be in the future'],
      [{ starts_at: 5 }, 'starts_at must be a string'],
      [{ ends_at: stage.hours(1) }, 'ends_at must be after starts_at'],
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
    for (const fields of [
      { ends_at: stage.hours(0.5) },
      { starts_at: stage.hours(-1) },
      { name: 5 },
    ]) {
      assert.equal((await studio.send('PATCH', path, fields)).status, 400);
    }
    assert.deepEqual(await studio.show(made.body.id), made.body);
    const unknown = await studio.send('GET', '/schedules/00000000-0000-4000-8000-000000000000');
    assert.deepEqual(unknown.body, { error: 'Scheduled change not found' });
    assert.equal((await studio.send('GET', `${path}?environment=development`)).status, 404);
    const viewer = await stage.makeStudio('viewer');
    assert.equal((await viewer.plan(fine)).status, 403);
    assert.equal((await viewer.send('GET', '/schedules')).status, 200);
  });
});
