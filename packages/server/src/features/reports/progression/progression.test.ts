import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { countProgression } from '../test/naive-progression.ts';
import type { ExportedEvent } from '../test/naive-progression.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const HOUR_MS = 3_600_000;
const dayBefore = (days: number) =>
  new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 10);
const NAMES = {
  start_event: 'level_started',
  fail_event: 'level_failed',
  complete_event: 'level_completed',
  property: 'level',
};

interface Sent {
  player_id?: string;
  event_name: string;
  hours_ago: number;
  properties: object;
}

async function makeGame(events: readonly Sent[]) {
  const { game_id, production_key: key } = await server.makeGame({ tier: 'studio' });
  const { token } = await server.makeAccount({ game_id });
  const ask = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}/${path}`, { token, body });
  const now = Date.now();
  for (let from = 0; from < events.length; from += 100) {
    const body = events.slice(from, from + 100).map(({ hours_ago, ...event }) => ({
      ...event,
      session_id: 's',
      client_timestamp: new Date(now - hours_ago * HOUR_MS).toISOString(),
    }));
    const answer = await server.request('POST', '/v1/track', { key, body });
    assert.equal(answer.status, 202, answer.text);
  }
  await waitForIngest(server.database, game_id);
  const get = async (query: object) => {
    const parameters = new URLSearchParams(query as Record<string, string>);
    const answer = await ask('GET', `analytics/progression?${parameters}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  return { game_id, key, ask, get };
}

const level = (player_id: string, event_name: string, hours_ago: number, value: unknown): Sent => ({
  player_id,
  event_name: `level_${event_name}`,
  hours_ago,
  properties: { level: value },
});

test('GET …/analytics/progression counts the tries of each step in natural order, and who left there', async () => {
  const { ask, get } = await makeGame([
    ...['10', '9', '1-10', '1-2'].map((value, at) => level('ann', 'started', 500 - at, value)),
    level('bob', 'started', 400, 2),
    level('bob', 'failed', 399, 2),
    level('bob', 'started', 398, 2.0),
    level('bob', 'completed', 397, 2),
    level('cat', 'started', 396, 2),
    level('cat', 'failed', 395, 2),
    level('dan', 'started', 30, 2),
    { event_name: 'level_started', hours_ago: 20, properties: { level: 2 } },
    { ...level('eve', 'started', 20, 2), properties: {} },
  ]);
  const days = { from: dayBefore(25), to: dayBefore(0) };
  const { steps, ...report } = await get({ ...NAMES, ...days });
  assert.deepEqual(
    steps.map(({ value }: { value: string }) => value),
    ['2', '9', '10', '1-2', '1-10'],
  );
  assert.deepEqual(steps[0], {
    value: '2',
    starts: 4,
    fails: 2,
    completions: 1,
    players: 3,
    started_players: 3,
    failed_players: 2,
    completed_players: 1,
    fail_ratio: 2 / 3,
    tries_per_completion: 4,
    left: 2,
    left_unfinished: 1,
    left_share: 2 / 3,
  });
  assert.deepEqual([report.players, report.left, report.step_count], [4, 3, 5]);

  const page = await get({ ...NAMES, ...days, limit: '2', offset: '1' });
  assert.deepEqual(
    page.steps.map(({ value }: { value: string }) => value),
    ['9', '10'],
  );
  const query = new URLSearchParams({ ...NAMES, ...days, limit: '1', format: 'csv' });
  const file = await ask('GET', `analytics/progression?${query}`);
  assert.equal(file.text.trim().split('\n').length, 6);
  const unfinished = { report: 'progression', ...days, ...NAMES, value: '2' };
  for (const [outcome, players] of [
    ['left', ['bob', 'cat']],
    ['left_unfinished', ['cat']],
  ] as const) {
    const cell = encodeURIComponent(JSON.stringify({ ...unfinished, outcome }));
    const { body } = await ask('GET', `analytics/segment?cell=${cell}`);
    const ids = body.players.map(({ player_id }: { player_id: string }) => player_id);
    assert.deepEqual(ids.toSorted(), players);
  }
  const cell = encodeURIComponent(JSON.stringify({ ...unfinished, outcome: 'reached' }));
  const wrong = await ask('GET', `analytics/segment?cell=${cell}`);
  const error = 'cell.outcome must be left or left_unfinished for progression';
  assert.deepEqual([wrong.status, wrong.body.error], [400, error]);
  const refused = await ask('GET', 'analytics/progression?start_event=a');
  assert.deepEqual([refused.status, refused.body.error], [400, 'property is required']);
});

test('a player whose events name no step makes no group of players larger', async () => {
  const { key, get } = await makeGame([
    // The values of players are numbered in the order of their first events: this one is the first of all.
    ...['ann', 'ben', 'cat'].map((id) => ({ ...level(id, 'started', 40, 1), properties: {} })),
    level('dan', 'started', 39, 1),
  ]);
  for (const player_id of ['ann', 'ben', 'cat', 'dan']) {
    const body = { player_id, properties: { team: player_id === 'dan' ? 'blue' : 'red' } };
    assert.equal((await server.request('POST', '/v1/identify', { key, body })).status, 200);
  }
  const days = { from: dayBefore(10), to: dayBefore(0) };
  const { groups } = await get({ ...NAMES, ...days, split_by: 'property:team', split_limit: '1' });
  assert.deepEqual(
    groups.map(({ kind, value, players }: Record<string, unknown>) => [kind, value, players]),
    [['value', 'blue', 1]],
  );
});

test('progressions of random events equal a count of the exported events, also after erasures and merges', async () => {
  const ids = Array.from({ length: 9 }, (_, index) => `p${index}`);
  const anyEvent = fc.record({
    player_id: fc.constantFrom(...ids, undefined),
    event_name: fc.constantFrom('level_started', 'level_failed', 'level_completed', 'other'),
    // Some events arrive weeks late.
    hours_ago: fc.integer({ min: 0, max: 40 * 24 }),
    properties: fc.record({
      level: fc.constantFrom(1, 2, 10, '1-2', '1-10', null, { a: 1 }, 1.5),
      mode: fc.constantFrom('hard', 'easy'),
    }),
  });
  const run = fc.asyncProperty(
    fc.array(anyEvent, { minLength: 60, maxLength: 160, size: 'max' }),
    fc.boolean(),
    async (given, is_hard) => {
      // Some players have been away for weeks.
      const events = given.map(({ hours_ago, ...event }) => ({
        ...event,
        hours_ago: Math.min(50 * 24, hours_ago + (ids.indexOf(event.player_id ?? '') % 4) * 130),
      }));
      const { game_id, key, ask, get } = await makeGame(events);
      for (const player_id of ids.slice(0, 4)) {
        const body = { player_id, properties: { team: player_id < 'p2' ? 'red' : 'blue' } };
        assert.equal((await server.request('POST', '/v1/identify', { key, body })).status, 200);
      }
      const days = { from: dayBefore(30), to: dayBefore(2) };
      const filter = [{ property: 'mode', operator: 'eq', value: 'hard' }];
      const question = { ...NAMES, ...days, ...(is_hard && { filter: JSON.stringify(filter) }) };
      const compare = async (moment: string) => {
        const file = await ask('GET', `events/export?from=${dayBefore(90)}&to=${dayBefore(0)}`);
        const exported = file.text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as ExportedEvent);
        const count = (isTold: (player_id: string) => boolean) =>
          countProgression(exported, { ...NAMES, ...days, is_hard, today: dayBefore(0), isTold });
        const { groups, ...report } = await get({ ...question, split_by: 'property:team' });
        const expected = count(() => true);
        const { from: _from, to: _to, time_zone: _zone, other_step_count, ...numbers } = report;
        assert.equal(other_step_count, 0);
        assert.deepEqual(sorted(numbers), expected, moment);
        for (const { kind, value, ...group } of groups) {
          const { step_count: _count, ...own } = count((player_id) => {
            const team = ids.slice(0, 4).includes(player_id)
              ? player_id < 'p2'
                ? 'red'
                : 'blue'
              : null;
            return team === value;
          });
          assert.deepEqual(sorted(group), own, `${kind} ${value} ${moment}`);
        }
      };
      await compare('at first');
      const known = new Set(events.map(({ player_id }) => player_id));
      if (known.has('p7') && known.has('p8')) {
        await ask('POST', 'players/p8/merge?environment=production', { from_player_id: 'p7' });
        await waitUntil('the events have moved', async () => {
          const left = await server.database.queryOne<{ count: number }>(sql`
            SELECT count(*) AS count FROM events
            WHERE game_id = ${game_id} AND player_id = 'p7'`);
          return left!.count === 0;
        });
        await compare('after a merge');
      }
      if (known.has('p6')) {
        const { status } = await ask('DELETE', 'players/p6?environment=production');
        assert.equal(status, 204);
        await compare('after an erasure');
      }
    },
  );
  await fc.assert(run, { numRuns: countCases(10), endOnFailure: true });
});

/** Sorts the steps, whose order another test checks. */
const sorted = <R extends { steps: { value: string }[] }>(report: R): R => ({
  ...report,
  steps: report.steps.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
});
