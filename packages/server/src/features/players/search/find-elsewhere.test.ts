import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { sql } from '../../../platform/database/sql.ts';
import { findPlayers } from './find-elsewhere.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function makeGame() {
  const { game_id, production_key: key, development_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const at = `/v1/games/${game_id}`;
  const send = async (path: string, body: object, sender = key) => {
    const answer = await server.request('POST', path, { key: sender, body });
    assert.ok(answer.status < 300, answer.text);
  };
  const settings = { event_name: 'purchase', amount_property: 'price', currency: 'EUR' };
  await server.request('PUT', `${at}/revenue-settings`, { token, body: settings });
  return {
    game_id,
    development_key,
    send,
    async buy(player_id: string, properties: object, sender = key) {
      const event = { event_name: 'purchase', session_id: 's', player_id, properties };
      await send('/v1/track', event, sender);
      await waitForIngest(server.database, game_id);
    },
    async find(search: string, more: Record<string, string> = {}) {
      const query = new URLSearchParams({ search, with_total: 'true', ...more });
      const { status, body, text } = await server.request('GET', `${at}/players?${query}`, {
        token,
      });
      assert.equal(status, 200, text);
      const ids = body.players.map((player: { player_id: string }) => player.player_id);
      return [ids.join(), body.found_by, body.total.count];
    },
  };
}

const NOBODY = ['', undefined, 0];

test('a search that no name and no id meets finds players by a login', async () => {
  const { send, find } = await makeGame();
  const login = { provider: 'device', device_id: 'ann@example.com', player_id: 'p1' };
  await send('/v1/players/login', { ...login, secret: 's'.repeat(43) });
  await send('/v1/identify', { player_id: 'p2', properties: {} });
  assert.deepEqual(await find('ann@example.com'), ['p1', 'login', 1]);
  assert.deepEqual(await find('ann@example'), NOBODY);
  assert.deepEqual(await find('ann@example.com', { environment: 'development' }), NOBODY);
  assert.deepEqual(await find('ann@example.com', { tag: 'vip' }), NOBODY);
  await send('/v1/identify', { player_id: 'ann@example.com', properties: {} });
  assert.deepEqual(await find('ann@example.com'), ['ann@example.com', undefined, 1]);
});

test('then it finds players by the number of an order', async () => {
  const { game_id, buy, send, find, development_key } = await makeGame();
  await buy('p1', { order: 'GPA.3345-1234', price: 4.99 });
  await buy('p2', { order: 900_000_000_001, price: 4.99 });
  await buy('p3', { note: ['about GPA.3345-9999'], cart: { order: 'GPA.3345-9999' } });
  await buy('p4', { order: 'GPA.3345-1234' }, development_key);
  await send('/v1/track', {
    event_name: 'refund_asked',
    session_id: 's',
    player_id: 'p5',
    properties: { order: 'GPA.3345-5555' },
  });
  await waitForIngest(server.database, game_id);
  assert.deepEqual(await find('GPA.3345-1234'), ['p1', 'purchase', 1]);
  assert.deepEqual(await find('900000000001'), ['p2', 'purchase', 1]);
  for (const text of [
    'GPA.3345-123',
    'gpa.3345-1234',
    'GPA.3345-9999',
    'GPA.3345-5555',
    '"text":"GPA.3345-1234',
    `GPA.3345'||'-1234`,
    'GPA\\u002e3345-1234',
  ]) {
    assert.deepEqual(await find(text), NOBODY, text);
  }
  const quoted = `1"}'\\u0000$`;
  await buy('p7', { order: quoted });
  assert.deepEqual(await find(quoted), ['p7', 'purchase', 1]);
  const page = { limit: '1' };
  await buy('p6', { order: 'GPA.3345-1234' });
  assert.deepEqual(await find('GPA.3345-1234', page), ['p6', 'purchase', 2]);
});

test('short texts, and texts with spaces or without a digit, are no numbers of orders', async () => {
  const { buy, find } = await makeGame();
  for (const value of ['a1234', 'gem pack 12', 'gem_pack']) {
    await buy('p1', { item: value });
    assert.deepEqual(await find(value), NOBODY, value);
  }
  await buy('p1', { item: 'gem_pack_12' });
  assert.deepEqual(await find('gem_pack_12'), ['p1', 'purchase', 1]);
});

test('a search that would read purchases for too long says who has not been found', async () => {
  const { game_id } = await makeGame();
  const read = findPlayers(
    server.database.ofGame(game_id),
    { game_id, environment: 'production' },
    { search: 'order-1', sort: 'last_seen_at', limit: 10 },
    (tx) => tx.query(sql`SELECT 'p' AS player_id FROM pg_sleep(30)`) as Promise<never>,
    500,
  );
  await assert.rejects(read, (error: { status: number; message: string }) => {
    assert.equal(error.status, 503);
    assert.match(error.message, /^The search took longer than 0\.5 seconds: no name, no id/);
    return true;
  });
});
