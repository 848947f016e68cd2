import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventValidation } from '@overworld/contract/tiers';
import { sql } from '../../../platform/database/sql.ts';
import type { RequestOptions } from '../../../../test/test-request.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';

/** Two nodes on one database. */
const servers = useTwoServers();

const schema = {
  type: 'object',
  required: ['price'],
  properties: { price: { type: 'number', minimum: 0 } },
};

const good = { event_name: 'purchase', session_id: 's', properties: { price: 5 } };
const bad = { event_name: 'purchase', session_id: 's', properties: { price: '5' } };

const violation = (index: number) => ({
  index,
  event_name: 'purchase',
  path: 'properties.price',
  message: 'properties.price must be a number',
});

async function makeGame(event_validation: EventValidation) {
  const game = await servers[0].makeGame({ event_validation });
  const { token } = await servers[0].makeAccount({ game_id: game.game_id, role: 'developer' });
  const path = `/v1/games/${game.game_id}/event-schemas`;
  return {
    ...game,
    token,
    track: (body: unknown, headers: Record<string, string> = {}, node: 0 | 1 = 0) =>
      servers[node].request('POST', '/v1/track', { key: game.production_key, body, headers }),
    put: (event_name: string, body: unknown, options: RequestOptions = {}) =>
      servers[0].request('PUT', `${path}/${encodeURIComponent(event_name)}`, {
        token,
        body,
        ...options,
      }),
    delete: (event_name: string, options: RequestOptions = {}) =>
      servers[0].request('DELETE', `${path}/${encodeURIComponent(event_name)}`, {
        token,
        ...options,
      }),
    list: (query = '') => servers[0].request('GET', path + query, { token }),
  };
}

describe('validation of events by schemas', () => {
  test('in the mode off no event is checked', async () => {
    const game = await makeGame('off');
    await game.put('purchase', { schema });
    const answer = await game.track([good, bad]);
    assert.equal(answer.status, 202);
    assert.equal(answer.body.warnings, undefined);
  });

  test('in the mode warn events that break their schema are stored, and answered with warnings', async () => {
    const game = await makeGame('warn');
    await game.put('purchase', { schema });
    const answer = await game.track([good, bad, { event_name: 'other', session_id: 's' }, bad]);
    assert.equal(answer.status, 202);
    assert.equal(answer.body.received, 4);
    assert.deepEqual(answer.body.warnings, [violation(1), violation(3)]);
    assert.equal((await game.track(good)).body.warnings, undefined);
  });

  test('in the mode warn a request that crosses the quota gets warnings of stored events only', async () => {
    const game = await makeGame('warn');
    await game.put('purchase', { schema });
    await servers[0].database.execute(sql`
      INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
      VALUES (${game.game_id}, date_trunc('month', now())::date, 99998, 0, 100000)`);
    const answer = await game.track([bad, good, bad]);
    assert.equal(answer.body.received, 2);
    assert.deepEqual(answer.body.warnings, [violation(0)]);
  });

  test('in the mode reject a request with an event that breaks its schema answers 400', async () => {
    const game = await makeGame('reject');
    await game.put('purchase', { schema });
    const answer = await game.track([good, bad]);
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body, {
      error: 'properties.price must be a number',
      violations: [violation(1)],
    });
    const accepted = await game.track(good);
    assert.equal(accepted.status, 202);
    assert.equal(accepted.body.quota.remaining, accepted.body.quota.limit - 1);
  });

  test('absent properties are checked as an empty object', async () => {
    const game = await makeGame('reject');
    await game.put('purchase', { schema });
    for (const properties of [undefined, null]) {
      const answer = await game.track({ ...good, properties });
      assert.equal(answer.body.error, 'properties.price is required');
    }
  });

  test('a change applies at once on the node that made it, and on others after a notification', async () => {
    const game = await makeGame('reject');
    const status = async (node: 0 | 1) => (await game.track(bad, {}, node)).status;
    assert.equal(await status(0), 202);
    assert.equal(await status(1), 202);
    await game.put('purchase', { schema });
    assert.equal(await status(0), 400);
    await waitUntil('the other node knows', async () => (await status(1)) === 400);
    await game.delete('purchase');
    assert.equal(await status(0), 202);
    await waitUntil('the other node knows', async () => (await status(1)) === 202);
  });

  test('after a schema is set, a repeat of an earlier request gets its first answer again', async () => {
    const game = await makeGame('reject');
    const headers = { 'idempotency-key': 'before' };
    const first = await game.track(bad, headers);
    await game.put('purchase', { schema });
    const repeat = await game.track(bad, headers);
    assert.equal(repeat.status, 202);
    assert.equal(repeat.text, first.text);
    assert.equal((await game.track(bad, { 'idempotency-key': 'after' })).status, 400);
  });

  test('a repeat of a request gets the warnings of its first answer again', async () => {
    const game = await makeGame('warn');
    await game.put('purchase', { schema });
    const headers = { 'idempotency-key': 'warned' };
    const first = await game.track(bad, headers);
    assert.equal(first.body.warnings.length, 1);
    await game.delete('purchase');
    assert.equal((await game.track(bad, headers)).text, first.text);
  });
});

describe('event schemas of a game', () => {
  test('PUT sets a schema, GET lists schemas by name in pages, and DELETE deletes one', async () => {
    const game = await makeGame('off');
    for (const name of ['b/%2F', 'a', 'ü🦊']) {
      const answer = await game.put(name, { schema });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body.schema, schema);
      assert.equal(answer.body.event_name, name);
    }
    const replaced = await game.put('a', { schema: {} });
    assert.deepEqual(replaced.body.schema, {});
    const first = await game.list('?limit=2');
    assert.deepEqual(
      first.body.event_schemas.map(({ event_name }: { event_name: string }) => event_name),
      ['a', 'b/%2F'],
    );
    const second = await game.list(`?limit=2&cursor=${first.body.next_cursor}`);
    assert.equal(second.body.event_schemas.length, 1);
    assert.equal(second.body.next_cursor, null);
    assert.equal((await game.list('?cursor=x')).body.error, 'cursor is not valid');
    assert.equal((await game.delete('a')).status, 204);
    const gone = await game.delete('a');
    assert.equal(gone.status, 404);
    assert.equal(gone.body.error, 'Event schema not found');
  });

  test('a schema with an unsupported keyword answers 400 with the keyword, and is not stored', async () => {
    const game = await makeGame('off');
    await game.put('purchase', { schema });
    const answer = await game.put('purchase', {
      schema: { properties: { item: { pattern: '^a' } } },
    });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, 'schema.properties.item.pattern is not supported');
    assert.equal((await game.put('purchase', {})).body.error, 'schema is required');
    assert.equal(
      (await game.put('purchase', { schema: [] })).body.error,
      'schema must be a JSON object',
    );
    assert.deepEqual((await game.list()).body.event_schemas[0].schema, schema);
  });

  test('a game on the Free tier has at most 500 schemas', async () => {
    const game = await makeGame('off');
    await servers[0].database.execute(sql`
      INSERT INTO event_schemas (game_id, event_name, schema, updated_at)
      SELECT ${game.game_id}, 'event-' || n, '{}', now() FROM generate_series(1, 499) AS n`);
    assert.equal((await game.put('last', { schema })).status, 200);
    const answer = await game.put('one too many', { schema });
    assert.equal(answer.status, 403);
    assert.match(answer.body.error, /^This game has reached its limit of 500 event schemas/);
    assert.equal((await game.put('last', { schema: {} })).status, 200);
  });

  test('with If-None-Match: * only one of several requests at the same time creates the schema', async () => {
    const game = await makeGame('off');
    const only_new = { headers: { 'if-none-match': '*' } };
    const schemas = ['number', 'string', 'boolean', 'null'].map((type) => ({
      properties: { x: { type } },
    }));
    const answers = await Promise.all(
      schemas.map((each) => game.put('purchase', { schema: each }, only_new)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    assert.match(refused.body.error, /^event_name has a schema already/);
    const made = answers.findIndex(({ status }) => status === 200);
    assert.deepEqual((await game.list()).body.event_schemas[0].schema, schemas[made]);
    assert.equal((await game.put('purchase', { schema })).status, 200);
  });

  test('only developers change schemas, and their changes are in the audit log', async () => {
    const game = await makeGame('off');
    const { token } = await servers[0].makeAccount({ game_id: game.game_id, role: 'viewer' });
    assert.equal((await game.put('purchase', { schema }, { token })).status, 403);
    assert.equal((await game.delete('purchase', { token })).status, 403);
    const stranger = await servers[0].makeAccount();
    assert.equal((await game.put('purchase', { schema }, { token: stranger.token })).status, 404);
    await game.put('purchase', { schema });
    await game.delete('purchase');
    const entries = await servers[0].database.query<{ action: string; target: string }>(sql`
      SELECT action, target FROM audit_log WHERE game_id = ${game.game_id} ORDER BY id`);
    assert.deepEqual(entries, [
      { action: 'put_event_schema', target: 'purchase' },
      { action: 'delete_event_schema', target: 'purchase' },
    ]);
  });
});
