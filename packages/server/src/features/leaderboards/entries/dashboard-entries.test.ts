import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { TestServer } from '../../../../test/harness.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
let client: BoardClient;
before(() => {
  [server, secondNode] = nodes;
});
beforeEach(async () => {
  client = await makeBoardClient(server);
});

const submit = (player_id: string, score: number, node?: TestServer) =>
  client.submit({ board_name: 'b', player_id, score }, node);

const findNewestAudit = () =>
  server.database.queryOne<{
    action: string;
    target: string;
    details: Record<string, unknown>;
  }>(sql`
    SELECT action, target, details FROM audit_log
    WHERE game_id = ${client.game.game_id} ORDER BY id DESC LIMIT 1`);

describe('GET …/{board_name}/entries', () => {
  beforeEach(async () => {
    await Promise.all(
      ['Anna', 'Bert', 'Nina', 'hanNAh'].map((player_name, n) =>
        client.submit({ board_name: 'b', player_id: `id-${n}`, player_name, score: n }),
      ),
    );
  });

  test('returns the entries page by page', async () => {
    const { status, body } = await client.manage('GET', '/b/entries?limit=2&offset=1');
    assert.equal(status, 200);
    assert.deepEqual([body.board_name, body.season, body.total_entries], ['b', 1, 4]);
    const names = body.entries.map((e: { player_name: string }) => e.player_name);
    assert.deepEqual(names, ['Nina', 'Bert']);
  });

  test('finds players by a part of their id or name, in any case, with their ranks', async () => {
    const find = async (search: string, more = '') => {
      const query = `search=${encodeURIComponent(search)}${more}`;
      const { status, body } = await client.manage('GET', `/b/entries?${query}`);
      assert.equal(status, 200);
      assert.equal(body.total_entries, 4);
      return body.entries.map(
        (e: { rank: number; player_id: string }) => `${e.rank} ${e.player_id}`,
      );
    };
    assert.deepEqual(await find('nna'), ['1 id-3', '4 id-0']);
    assert.deepEqual(await find('ID-', '&limit=2&offset=1'), ['2 id-2', '3 id-1']);
    assert.deepEqual(await find('%'), []);
    await client.manage('PUT', '/b', { order: 'ascending' });
    assert.deepEqual(await find('nna'), ['1 id-0', '4 id-3']);
    await client.manage('POST', '/b/reset');
    assert.deepEqual((await client.manage('GET', '/b/entries?search=nna')).body.entries, []);
    assert.deepEqual(await find('nna', '&season=1'), ['1 id-0', '4 id-3']);
  });

  test('answers 404 for an unknown board', async () => {
    for (const query of ['', '?search=a']) {
      const { status, body } = await client.manage('GET', `/unknown/entries${query}`);
      assert.deepEqual([status, body], [404, { error: 'Leaderboard not found' }]);
    }
  });
});

describe('DELETE …/{board_name}/entries/{player_id}', () => {
  test('removes the entry on every server, and the player may submit again', async () => {
    for (const [index, player] of ['a', 'b/ü', 'c'].entries()) await submit(player, index);
    await client.standings('b', '', secondNode);
    const path = `/b/entries/${encodeURIComponent('b/ü')}`;
    assert.equal((await client.manage('DELETE', path)).status, 204);
    for (const node of [server, secondNode]) {
      assert.deepEqual(await client.standings('b', '', node), ['c 2', 'a 0']);
      const { body } = await client.page('b', `player_id=${encodeURIComponent('b/ü')}`, node);
      assert.equal(body.player, null);
    }
    const { status, body } = await client.manage('DELETE', path);
    assert.deepEqual([status, body], [404, { error: 'Entry not found' }]);
    assert.equal((await client.manage('GET', '/b')).body.total_entries, 2);
    const back = await submit('b/ü', -1, secondNode);
    assert.deepEqual([back.status, back.body.rank, back.body.total_entries], [201, 3, 3]);
    const { action, target, details } = (await findNewestAudit())!;
    assert.deepEqual([action, target], ['delete_leaderboard_entry', 'b']);
    const { decision_id: _decision, ...named } = details;
    assert.deepEqual(named, {
      environment: 'production',
      season: 1,
      player_id: 'b/ü',
      score: 1,
    });
  });

  test('removes the entry from a past season that the request names by its number', async () => {
    await submit('a', 1);
    await submit('b', 2);
    await client.manage('POST', '/b/reset');
    await submit('a', 3);
    await client.standings('b', 'season=1', secondNode);
    assert.equal((await client.manage('DELETE', '/b/entries/a?season=1')).status, 204);
    assert.deepEqual(await client.standings('b', 'season=1', secondNode), ['b 2']);
    assert.deepEqual(await client.standings('b'), ['a 3']);
  });
});
