import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../../platform/database/sql.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { RequestOptions } from '../../../../test/test-request.ts';

let server: TestServer;
let game: TestGame;
let token: string;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame({ tier: 'studio' });
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
});
after(() => server.close());

const event = { event_name: 'level_complete', session_id: 'session-1' };

const track = (body: unknown, options: RequestOptions = {}) =>
  server.request('POST', '/v1/track', { key: game.production_key, body, ...options });

const listEvents = async (filter = '') =>
  (await server.request('GET', `/v1/games/${game.game_id}/events?limit=200${filter}`, { token }))
    .body.events;

const countEvents = async () => {
  const row = await server.database.queryOne<{ used: number }>(
    sql`SELECT used FROM event_usage WHERE game_id = ${game.game_id}`,
  );
  return row?.used ?? 0;
};

/**
 * Checks that the request is refused as a whole, with one violation, whose message is also the error, and
 * that no event is stored.
 */
async function refuse(body: unknown, message: string, violation: object) {
  const before_count = await countEvents();
  const answer = await track(body);
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.error, message);
  assert.deepEqual(Object.keys(answer.body), ['error', 'violations']);
  assert.deepEqual(answer.body.violations, [{ message, ...violation }]);
  assert.equal(await countEvents(), before_count);
}

/** Makes properties whose compact JSON has `bytes` bytes, which must be an odd number. */
const ofBytes = (bytes: number) => ({ text: 'ä'.repeat((bytes - 11) / 2) });

describe('POST /v1/track', () => {
  test('a single event is answered 202 with `received` and `quota`', async () => {
    const answer = await track({ ...event, player_id: 'p', properties: { level: 7 } });
    assert.equal(answer.status, 202);
    assert.deepEqual(Object.keys(answer.body), ['received', 'quota']);
    assert.equal(answer.body.received, 1);
    assert.equal(answer.body.quota.limit, 10_000_000);
  });

  test('a list of up to 100 events answers 202 with their number', async () => {
    const before_answer = await track(event);
    const answer = await track(Array.from({ length: 100 }, () => event));
    assert.equal(answer.status, 202);
    assert.equal(answer.body.received, 100);
    assert.equal(answer.body.quota.remaining, before_answer.body.quota.remaining - 100);
  });

  test('both environments of a game share one quota, but not their events', async () => {
    const first = await track(event);
    const second = await track(
      { ...event, event_name: 'in_development' },
      { key: game.development_key },
    );
    assert.equal(second.body.quota.remaining, first.body.quota.remaining - 1);
    assert.equal((await listEvents('&event_name=in_development')).length, 0);
    const there = await listEvents('&event_name=in_development&environment=development');
    assert.equal(there.length, 1);
  });

  test('a body without event_name is answered 400 `event_name is required`', async () => {
    const violation = { index: 0, event_name: null, path: 'event_name' };
    const { event_name: _left_out, ...rest } = event;
    await refuse(rest, 'event_name is required', violation);
    await refuse({ ...rest, event_name: null }, 'event_name is required', violation);
  });

  test('an object with a list `events` is refused with a hint to send only the list', async () => {
    const { status, body } = await track({ events: [event] });
    assert.deepEqual([status, body.error], [400, 'event_name is required']);
    assert.equal(
      body.message,
      'Send the list of events itself as the body, not in a member `events`',
    );
    assert.deepEqual(
      body.violations.map(({ path }: { path: string }) => path),
      ['event_name', 'session_id'],
    );
  });

  test('every invalid field is named', async () => {
    const named = { index: 0, event_name: event.event_name };
    for (const [fields, message, path] of [
      [{ session_id: undefined }, 'session_id is required', 'session_id'],
      [{ session_id: 7 }, 'session_id must be a string', 'session_id'],
      [{ session_id: '' }, 'session_id must not be empty', 'session_id'],
      [{ player_id: '' }, 'player_id must not be empty', 'player_id'],
      [{ player_id: {} }, 'player_id must be a string', 'player_id'],
      [{ player_id: '🦊'.repeat(256) }, 'player_id must have at most 255 characters', 'player_id'],
      [{ properties: [] }, 'properties must be a JSON object', 'properties'],
      [{ properties: 'x' }, 'properties must be a JSON object', 'properties'],
      [{ client_timestamp: 12 }, 'client_timestamp must be a string', 'client_timestamp'],
      [
        { client_timestamp: '2026-02-30T00:00:00Z' },
        'client_timestamp must be a valid ISO 8601 time of the years 1970 to 2100',
        'client_timestamp',
      ],
      [
        { properties: { a: [{ b: 'x\0y' }] } },
        'properties.a[0].b must not contain \\u0000',
        'properties',
      ],
      [{ note: '\ud800' }, 'note must not contain lone surrogates', 'note'],
    ] as const) {
      await refuse({ ...event, ...fields }, message, { ...named, path });
    }
    await refuse({ ...event, event_name: 7 }, 'event_name must be a string', {
      index: 0,
      event_name: null,
      path: 'event_name',
    });
  });

  test('a list with any malformed event is refused as a whole, with every problem', async () => {
    const answer = await track([event, { event_name: 'x' }, 'text', { session_id: 's' }, null]);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, 'session_id is required');
    assert.deepEqual(answer.body.violations, [
      { index: 1, event_name: 'x', path: 'session_id', message: 'session_id is required' },
      { index: 2, event_name: null, path: '', message: 'The event must be a JSON object' },
      { index: 3, event_name: null, path: 'event_name', message: 'event_name is required' },
      { index: 4, event_name: null, path: '', message: 'The event must be a JSON object' },
    ]);
  });

  test('at most 100 violations are listed', async () => {
    const answer = await track(Array.from({ length: 100 }, () => ({})));
    assert.equal(answer.body.violations.length, 100);
  });

  test('an empty list and a body that is neither event nor list answer 400', async () => {
    for (const [body, error] of [
      ['[]', 'The list of events must not be empty'],
      ['"text"', 'The request body must be an event or a list of events'],
      ['null', 'The request body must be an event or a list of events'],
      ['{', 'The request body is not valid JSON'],
    ]) {
      const answer = await track(body);
      assert.equal(answer.status, 400);
      assert.ok(answer.body.error.startsWith(error), answer.text);
    }
  });

  test('more than 100 events answer 413 with the limit and the number of events', async () => {
    const answer = await track(Array.from({ length: 101 }, () => event));
    assert.equal(answer.status, 413);
    assert.deepEqual(answer.body, {
      error: 'A request may hold at most 100 events',
      limit: 100,
      received: 101,
    });
  });

  test('a list of nearly 8 MB still answers 413 with the exact number of events', async () => {
    const text = JSON.stringify(event);
    const count = Math.floor((8 * 1024 * 1024 - 2) / (text.length + 1));
    const answer = await track(`[${Array.from({ length: count }, () => text).join(',')}]`);
    assert.equal(answer.status, 413);
    assert.equal(answer.body.received, count);
  });

  test('an event of over 256 KB is refused, and unknown fields count towards its size', async () => {
    const large = { ...event, unknown: 'x'.repeat(256 * 1024) };
    const message = 'The event must have at most 262144 bytes';
    const violation = { event_name: null, path: '' };
    await refuse(large, message, { index: 0, ...violation });
    await refuse([event, large], message, { index: 1, ...violation });
    const fitting = { ...event, unknown: 'x'.repeat(255 * 1024) };
    assert.equal((await track(fitting)).status, 202);
  });

  test('properties over 32 KB are refused, and 1e300 counts as a number of 301 digits', async () => {
    const largest = await track({ ...event, properties: ofBytes(32_767) });
    assert.equal(largest.status, 202);
    const message = 'properties must have at most 32768 bytes';
    const violation = { index: 0, event_name: event.event_name, path: 'properties' };
    await refuse({ ...event, properties: ofBytes(32_769) }, message, violation);
    const numbers = Array.from({ length: 110 }, () => '1e300').join(',');
    await refuse(
      `{${JSON.stringify(event).slice(1, -1)},"properties":{"a":[${numbers}]}}`,
      message,
      violation,
    );
  });

  test('a missing or unknown API key answers 401', async () => {
    const missing = await track(event, { key: undefined });
    assert.equal(missing.status, 401);
    assert.equal(missing.body.error, 'Missing x-game-api-key header');
    const unknown = await track(event, { key: 'ow_live_nobody' });
    assert.equal(unknown.body.error, 'Invalid API key');
  });
});

test('every event that was accepted in this file was ingested', async () => {
  await listEvents();
  const row = await server.database.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM event_quarantine`,
  );
  assert.equal(row!.count, 0);
});
