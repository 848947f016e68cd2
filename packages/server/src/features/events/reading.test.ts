import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function makeGame() {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
  return {
    ...game,
    token,
    track: async (body: unknown, key = game.production_key) => {
      const answer = await server.request('POST', '/v1/track', { key, body });
      assert.equal(answer.status, 202, answer.text);
    },
    list: (query = '') =>
      server.request('GET', `/v1/games/${game.game_id}/events${query}`, { token }),
    player: async (path = '') => {
      const answer = await server.request('GET', `/v1/players/p${path}`, {
        key: game.production_key,
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    usage: () => server.request('GET', `/v1/games/${game.game_id}/usage`, { token }),
  };
}

const event = (event_name: string, more: object = {}) => ({ event_name, session_id: 's', ...more });

const at = (minutes_ago: number) => new Date(Date.now() - minutes_ago * 60_000).toISOString();

const sessionEvent = (session_id: string, minutes_ago: number) =>
  event('e', { player_id: 'p', session_id, client_timestamp: at(minutes_ago) });

const namesOf = (events: { event_name: string }[]) => events.map(({ event_name }) => event_name);

describe('GET /v1/games/{game_id}/events', () => {
  test('events are listed as soon as they are answered with 202, newest first', async () => {
    const game = await makeGame();
    for (let round = 0; round < 5; round++) {
      await game.track([event(`${round}-a`), event(`${round}-b`)]);
      const { body } = await game.list('?limit=2');
      assert.deepEqual(namesOf(body.events), [`${round}-b`, `${round}-a`]);
    }
  });

  test('the pages list every event once, even if many events were received at the same moment', async () => {
    const game = await makeGame();
    const sent = Array.from({ length: 60 }, (_, index) => event(`e${index}`));
    await game.track(sent.slice(0, 35));
    await game.track(sent.slice(35));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await game.list(`?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...namesOf(body.events));
      cursor = body.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, namesOf(sent).toReversed());
  });

  test('the list can be filtered by event_name, player_id and environment', async () => {
    const game = await makeGame();
    await game.track([
      event('a', { player_id: 'p' }),
      event('b', { player_id: 'p' }),
      event('a', { player_id: 'q' }),
      event('a'),
    ]);
    await game.track(event('c'), game.development_key);
    const choose = async (query: string) => namesOf((await game.list(query)).body.events);
    assert.deepEqual(await choose('?event_name=a'), ['a', 'a', 'a']);
    assert.deepEqual(await choose('?player_id=p'), ['b', 'a']);
    assert.deepEqual(await choose('?player_id=p&event_name=a'), ['a']);
    assert.deepEqual(await choose('?environment=development'), ['c']);
    assert.deepEqual(await choose('?event_name=nothing'), []);
  });

  test('a request with an invalid cursor or limit gets 400, and an account outside the game gets 404', async () => {
    const game = await makeGame();
    for (const key of [
      ['x'],
      ['2026-01-01 00:00:00+00', '1', '2'],
      ['2026-02-31 00:00:00+00', '1'],
    ]) {
      const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
      const answer = await game.list(`?cursor=${cursor}`);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'cursor is not valid');
    }
    assert.equal((await game.list('?limit=0')).status, 400);
    const { token } = await server.makeAccount();
    const path = `/v1/games/${game.game_id}/events`;
    assert.equal((await server.request('GET', path, { token })).status, 404);
  });
});

describe('timeline and sessions of a player', () => {
  test('the timeline lists the last received event first, and limit and offset choose a part of it', async () => {
    const game = await makeGame();
    const sent = Array.from({ length: 12 }, (_, index) => event(`e${index}`, { player_id: 'p' }));
    for (let start = 0; start < 12; start += 3) {
      await game.track([...sent.slice(start, start + 3), event('other', { player_id: 'q' })]);
    }
    const read = async (limit: number, offset: number) =>
      namesOf((await game.player(`/timeline?limit=${limit}&offset=${offset}`)).events);
    const all = namesOf(sent).toReversed();
    assert.deepEqual(await read(50, 0), all);
    assert.deepEqual(await read(4, 3), all.slice(3, 7));
    assert.deepEqual(await read(4, 12), []);
    const elsewhere = await server.request('GET', '/v1/players/p/timeline', {
      key: game.development_key,
    });
    assert.equal(elsewhere.status, 404);
  });

  test('sessions are listed by the time of their start, newest first', async () => {
    const game = await makeGame();
    await game.track([
      sessionEvent('old', 90),
      sessionEvent('old', 10),
      sessionEvent('new', 30),
      sessionEvent('older', 120),
    ]);
    await game.track(sessionEvent('old', 95));
    const { session_history } = await game.player();
    assert.deepEqual(
      session_history.map(({ session_id, event_count }: Record<string, unknown>) => [
        session_id,
        event_count,
      ]),
      [
        ['new', 1],
        ['old', 3],
        ['older', 1],
      ],
    );
    const { started_at, last_event_at } = session_history[1];
    assert.equal(Math.round((Date.parse(last_event_at) - Date.parse(started_at)) / 60_000), 85);
  });
});

describe('GET /v1/games/{game_id}/usage', () => {
  test('the usage has the counts of this month by environment and key, and the totals of the 12 months before', async () => {
    const game = await makeGame();
    const second_key = await server.makeKey(game.game_id, 'production');
    await game.track([event('a'), event('b'), event('c')]);
    await game.track(event('a'), second_key);
    await game.track([event('a'), event('b')], game.development_key);
    await server.database.execute(sql`
      INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
      VALUES (${game.game_id}, (date_trunc('month', now()) - interval '2 months')::date, 77, 1, 500)`);
    const { status, body } = await game.usage();
    assert.equal(status, 200);
    const month = new Date().toISOString().slice(0, 7);
    assert.deepEqual(
      { ...body, keys: undefined, history: undefined, limits: undefined },
      {
        month,
        used: 6,
        limit: 100_000,
        remaining: 99_994,
        environments: { development: 2, production: 4 },
        keys: undefined,
        history: undefined,
        limits: undefined,
      },
    );
    assert.deepEqual(
      body.keys.map(({ environment, event_count }: Record<string, unknown>) => [
        environment,
        event_count,
      ]),
      [
        ['production', 3],
        ['development', 2],
        ['production', 1],
      ],
    );
    assert.equal(body.history.length, 12);
    assert.deepEqual({ ...body.history[1], month: '' }, { month: '', used: 77, limit: 500 });
    assert.deepEqual({ ...body.history[0], month: '' }, { month: '', used: 0, limit: 100_000 });
    assert.ok(body.history[0].month < month && body.history[1].month < body.history[0].month);
  });
});
