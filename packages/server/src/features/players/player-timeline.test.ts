import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { IS_SPREAD } from '../../../test/test-database.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { sql } from '../../platform/database/sql.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let server: TestServer;
let game: TestGame;
let key: string;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  key = game.production_key;
});
after(() => server.close());

let players = 0;
const makePlayer = () => `a/b%25 ${++players}`;
const pathOf = (player_id: string, more: string) =>
  `/v1/players/${encodeURIComponent(player_id)}${more}`;
const get = (path: string, { token }: { token?: string } = {}) =>
  server.request('GET', path, token === undefined ? { key } : { token });
const track = async (events: object | object[]) => {
  await server.request('POST', '/v1/track', { key, body: events });
  // On a cluster with busy nodes, ingest may take longer than a read waits for it.
  if (IS_SPREAD) await waitForIngest(server.database, game.game_id);
};

test('lists the events of the player, the newest first, 50 by default', async () => {
  const player_id = makePlayer();
  await track(
    Array.from({ length: 60 }, (_, index) => ({
      event_name: `e${index}`,
      session_id: 's',
      player_id,
      ...(index === 59
        ? { properties: { n: 1 }, client_timestamp: '2026-03-01T10:00:00.5+01:00' }
        : {}),
    })),
  );
  await track({ event_name: 'other', session_id: 's', player_id: makePlayer() });
  const { status, body } = await get(pathOf(player_id, '/timeline'));
  assert.equal(status, 200);
  assert.deepEqual([body.player_id, body.limit, body.offset], [player_id, 50, 0]);
  assert.equal(body.events.length, 50);
  const [newest] = body.events;
  assert.match(newest.received_at, ISO_TIME);
  assert.deepEqual(newest, {
    event_name: 'e59',
    session_id: 's',
    properties: { n: 1 },
    client_timestamp: '2026-03-01T09:00:00.500Z',
    received_at: newest.received_at,
  });
  assert.deepEqual(
    [body.events[1].event_name, body.events[1].properties, body.events[1].client_timestamp],
    ['e58', {}, null],
  );

  const page = await get(pathOf(player_id, '/timeline?limit=7&offset=55'));
  assert.deepEqual([page.body.limit, page.body.offset], [7, 55]);
  assert.deepEqual(
    page.body.events.map(({ event_name }: { event_name: string }) => event_name),
    ['e4', 'e3', 'e2', 'e1', 'e0'],
  );
});

test('next_cursor leads to all events once, and a deep offset answers 400 and names it', async () => {
  const player_id = makePlayer();
  const names = Array.from({ length: 7 }, (_, index) => `e${index}`);
  await track(names.map((event_name) => ({ event_name, session_id: 's', player_id })));
  const read: string[] = [];
  let query = '?limit=3';
  for (;;) {
    const { body } = await get(pathOf(player_id, `/timeline${query}`));
    read.push(...body.events.map(({ event_name }: { event_name: string }) => event_name));
    if (body.next_cursor === null) break;
    query = `?limit=3&cursor=${body.next_cursor}`;
  }
  assert.deepEqual(read, names.toReversed());
  assert.equal((await get(pathOf(player_id, '/timeline?offset=5000'))).status, 200);
  const deep = await get(pathOf(player_id, '/timeline?offset=5001'));
  assert.equal(deep.status, 400);
  assert.match(deep.body.error, /^offset must be at most 5000.*cursor/);
  assert.equal((await get(pathOf(player_id, '/timeline?cursor=x'))).status, 400);
});

test('a player and a short timeline are read while reports take all turns of their network', async () => {
  const player_id = makePlayer();
  await track({ event_name: 'e', session_id: 's', player_id });
  const group = server.database.ofGame(game.game_id);
  const makeAccount = () => server.makeAccount({ game_id: game.game_id });
  const accounts = [await makeAccount(), await makeAccount()];
  const report = `/v1/games/${game.game_id}/annotations?environment=production`;
  const reports: Promise<unknown>[] = [];
  await group.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE annotations IN ACCESS EXCLUSIVE MODE`);
    for (let sent = 0; sent < 8; sent++) reports.push(get(report, accounts[sent % 2]!));
    await waitForLock(server.database);
    for (const path of ['', '/timeline', '/timeline?limit=60&offset=40']) {
      assert.equal((await get(pathOf(player_id, path))).status, 200, path);
    }
  });
  await Promise.all(reports);
});

test('a limit over 500 counts as 500, and an invalid limit answers 400', async () => {
  const player_id = makePlayer();
  await server.request('POST', '/v1/identify', { key, body: { player_id, properties: {} } });
  for (const limit of [500, 501, 1_000_000]) {
    const { body } = await get(pathOf(player_id, `/timeline?limit=${limit}`));
    assert.deepEqual([body.limit, body.events], [500, []]);
  }
  const invalid = 'limit=0 limit=-1 limit=x limit=1.5 limit= offset=-1 offset=x offset=1e30';
  for (const query of invalid.split(' ')) {
    const answer = await get(pathOf(player_id, `/timeline?${query}`));
    assert.equal(answer.status, 400, query);
    assert.ok(answer.body.error.startsWith(query.split('=')[0]!), answer.body.error);
  }
});
