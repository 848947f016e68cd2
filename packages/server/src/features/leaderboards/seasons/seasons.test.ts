import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';

// A Wednesday. Berlin is two hours ahead of UTC on this day.
const START = new Date('2026-07-15T10:00:00.000Z');
let now = START;
const clock = () => now;

const nodes = useTwoServers({ clock });
let server: TestServer;
let secondNode: TestServer;
let client: BoardClient;
before(() => {
  [server, secondNode] = nodes;
});
beforeEach(async () => {
  now = START;
  client = await makeBoardClient(server);
  await server.database.execute(sql`
    UPDATE games SET time_zone = 'Europe/Berlin' WHERE id = ${client.game.game_id}`);
});

const submit = (player_id: string, score: number, node?: TestServer) =>
  client.submit({ board_name: 'b', player_id, score }, node);
const setSchedule = (reset_schedule: string) => client.manage('PUT', '/b', { reset_schedule });
const listSeasons = async () => (await client.manage('GET', '/b/seasons')).body.seasons;

describe('a schedule', () => {
  const boundaries: [schedule: string, boundary: string, next: string][] = [
    ['daily', '2026-07-15T22:00:00.000Z', '2026-07-16T22:00:00.000Z'],
    ['weekly', '2026-07-19T22:00:00.000Z', '2026-07-26T22:00:00.000Z'],
    ['monthly', '2026-07-31T22:00:00.000Z', '2026-08-31T22:00:00.000Z'],
  ];
  for (const [schedule, boundary, next] of boundaries) {
    test(`${schedule} begins a season at midnight in the game's time zone, to the millisecond`, async () => {
      await setSchedule(schedule);
      await submit('p1', 100);
      now = new Date(Date.parse(boundary) - 1);
      assert.equal((await submit('p1', 90)).status, 200);
      assert.deepEqual(await client.standings('b'), ['p1 100']);

      now = new Date(boundary);
      assert.deepEqual(await client.standings('b'), []);
      assert.equal((await client.page('b')).body.season, 2);
      const first = await submit('p1', 5, secondNode);
      assert.deepEqual([first.status, first.body.rank, first.body.total_entries], [201, 1, 1]);
      assert.deepEqual(await client.standings('b', '', server), ['p1 5']);
      assert.deepEqual(await client.standings('b', 'season=1', server), ['p1 100']);
      assert.deepEqual(await client.standings('b', 'season=1', secondNode), ['p1 100']);
      assert.deepEqual(await listSeasons(), [
        {
          season: 2,
          order: 'descending',
          keeps: 'best',
          tie_break: 'none',
          is_rewarded: false,
          total_entries: 1,
          started_at: boundary,
          ends_at: next,
          ended_at: null,
        },
        {
          season: 1,
          order: 'descending',
          keeps: 'best',
          tie_break: 'none',
          is_rewarded: false,
          total_entries: 1,
          started_at: START.toISOString(),
          ends_at: boundary,
          ended_at: boundary,
        },
      ]);
    });
  }

  test('makes one season for several days on which nobody plays', async () => {
    await setSchedule('daily');
    await submit('p1', 1);
    now = new Date('2026-07-20T12:00:00.000Z');
    const board = await client.manage('GET', '/b');
    assert.deepEqual(
      [board.body.season, board.body.total_entries, board.body.started_at, board.body.ends_at],
      [2, 0, '2026-07-15T22:00:00.000Z', '2026-07-20T22:00:00.000Z'],
    );
    await submit('p2', 2);
    const { body } = await client.manage('GET', '/b');
    assert.equal(body.total_entries, 1);
    assert.deepEqual({ ...body, total_entries: 0 }, board.body);
    assert.deepEqual(await client.standings('b'), ['p2 2']);
  });

  test('ends seasons at local midnight on days when the clocks change, too', async () => {
    now = new Date('2026-10-24T12:00:00.000Z');
    await setSchedule('daily');
    await submit('p1', 1);
    assert.equal((await client.manage('GET', '/b')).body.ends_at, '2026-10-24T22:00:00.000Z');
    now = new Date('2026-10-24T22:00:00.000Z');
    await submit('p1', 1);
    assert.equal((await client.manage('GET', '/b')).body.ends_at, '2026-10-25T23:00:00.000Z');
  });

  test('begins one season when many players on two servers submit right after midnight', async () => {
    await setSchedule('daily');
    await submit('p1', 1);
    await submit('p1', 1, secondNode);
    now = new Date('2026-07-16T00:00:00.000Z');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => submit(`n${n}`, n, n % 2 ? server : secondNode)),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal((await listSeasons()).length, 2);
    assert.equal((await client.standings('b')).length, 40);
  });

  test('applies to the current season after a change: the new schedule ends it, and `none` never ends it', async () => {
    await setSchedule('monthly');
    await submit('p1', 1);
    await setSchedule('daily');
    assert.equal((await client.manage('GET', '/b')).body.ends_at, '2026-07-15T22:00:00.000Z');
    await setSchedule('none');
    now = new Date('2030-01-01T00:00:00.000Z');
    assert.deepEqual(await client.standings('b'), ['p1 1']);
  });

  test('ends a season on time, even if the schedule changes before anyone plays again', async () => {
    await setSchedule('daily');
    await submit('p1', 1);
    now = new Date('2026-07-16T12:00:00.000Z');
    await setSchedule('none');
    assert.deepEqual(await client.standings('b'), []);
    assert.deepEqual(await client.standings('b', 'season=1'), ['p1 1']);
  });
});

describe('POST …/reset', () => {
  test('begins a new season on every server immediately', async () => {
    await submit('p1', 100);
    await submit('p2', 50, secondNode);
    now = new Date('2026-07-15T11:00:00.000Z');
    const { status, body } = await client.manage('POST', '/b/reset');
    assert.equal(status, 201);
    assert.deepEqual(body, {
      season: 2,
      order: 'descending',
      keeps: 'best',
      tie_break: 'none',
      is_rewarded: false,
      total_entries: 0,
      started_at: now.toISOString(),
      ends_at: null,
      ended_at: null,
    });
    assert.deepEqual(await client.standings('b', '', secondNode), []);
    assert.equal((await submit('p1', 1, secondNode)).status, 201);
    assert.deepEqual(await client.standings('b', 'season=1'), ['p1 100', 'p2 50']);
    assert.deepEqual(await client.standings('b', 'season=2'), ['p1 1']);
  });

  test('leaves the other environment as it is', async () => {
    await submit('p1', 1);
    await client.manage('POST', '/b/reset?environment=development');
    assert.deepEqual(await client.standings('b'), ['p1 1']);
  });

  test('answers 404 for a board that does not exist', async () => {
    const { status, body } = await client.manage('POST', '/b/reset');
    assert.deepEqual([status, body], [404, { error: 'Leaderboard not found' }]);
  });

  test('loses no submit when a hundred come at the same time', async () => {
    await submit('p0', 1);
    const submits = Array.from({ length: 100 }, (_, n) =>
      submit(`p${n}`, n, n % 2 ? server : secondNode),
    );
    const [reset, ...answers] = await Promise.all([client.manage('POST', '/b/reset'), ...submits]);
    assert.equal(reset.status, 201);
    assert.ok(answers.every(({ status }) => status === 200 || status === 201));
    const seasons = [
      ...(await client.standings('b', 'season=1')),
      ...(await client.standings('b', 'season=2')),
    ];
    const players = new Set(seasons.map((text) => text.split(' ')[0]));
    assert.equal(players.size, 100);
  });
});

test('seasons are listed page by page, the newest first', async () => {
  await submit('p1', 1);
  for (let reset = 0; reset < 4; reset++) await client.manage('POST', '/b/reset');
  const numbers: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`;
    const { body } = await client.manage('GET', `/b/seasons?${query}`);
    numbers.push(...body.seasons.map(({ season }: { season: number }) => season));
    cursor = body.next_cursor;
  }
  assert.deepEqual(numbers, [5, 4, 3, 2, 1]);
  const { status, body } = await client.manage('GET', '/b/seasons?cursor=eA');
  assert.deepEqual([status, body], [400, { error: 'cursor is not valid' }]);
});
