import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MAX_PROBLEMS_OF_KEY, MAX_SAMPLE_LENGTH } from '@overworld/contract/events/problem-limits';
import { MAX_API_KEYS } from '@overworld/contract/games/api-keys';
import type { EventValidation } from '@overworld/contract/tiers';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import { sql } from '../../../platform/database/sql.ts';
import { createProblemKinds } from './problem-kinds.ts';
import { deleteOldKinds } from './problem-store.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

interface Problem {
  kind: string;
  event_name: string | null;
  path: string;
  message: string;
  event_count: number;
  key_name: string;
  sample: string | null;
  player_id: string | null;
}

async function makeGame(event_validation: EventValidation) {
  const game = await server.makeGame({ event_validation });
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'admin' });
  const path = `/v1/games/${game.game_id}`;
  const list = async (query = ''): Promise<Problem[]> => {
    const url = `${path}/event-problems?environment=production${query}`;
    const { status, body } = await server.request('GET', url, { token });
    assert.equal(status, 200, JSON.stringify(body));
    return body.problems;
  };
  return {
    ...game,
    token,
    path,
    database: server.database.ofGame(game.game_id),
    list,
    /** Waits until some events are counted. */
    async listAfter(count: number): Promise<Problem[]> {
      const total = async () => (await list()).reduce((sum, row) => sum + row.event_count, 0);
      await waitUntil(`${count} events are counted`, async () => (await total()) === count);
      return list();
    },
    track: (body: unknown) =>
      server.request('POST', '/v1/track', { key: game.production_key, body }),
    putSchema: (schema: unknown) =>
      server.request('PUT', `${path}/event-schemas/level`, { token, body: { schema } }),
  };
}

const SCHEMA = {
  type: 'object',
  properties: { level: { type: 'integer' }, items: { type: 'array', items: { type: 'string' } } },
};
const eventOf = (properties: object, player_id?: string) => ({
  event_name: 'level',
  session_id: 's',
  properties,
  ...(player_id === undefined ? {} : { player_id }),
});

test('refused events are grouped by field and problem, with a sample', async () => {
  const game = await makeGame('reject');
  await game.putSchema(SCHEMA);
  const bad = eventOf({ level: 'seven' }, 'ada');
  assert.equal((await game.track([bad, eventOf({ level: 1 })])).status, 400);
  await game.track(eventOf({ level: null }));
  assert.equal((await game.track(eventOf({ items: ['a', 2, 3] }))).status, 400);
  assert.equal((await game.track({ event_name: 'x' })).status, 400);

  const found = await game.listAfter(4);
  const shown = found.map(({ kind, event_name, path, message, event_count }) =>
    [kind, event_name, path, message, event_count].join(' | '),
  );
  assert.deepEqual(shown.toSorted(), [
    'refused | level | properties.items[] | properties.items[] must be a string | 1',
    'refused | level | properties.level | properties.level must be a whole number | 2',
    'refused | x | session_id | session_id is required | 1',
  ]);
  const level = found.find(({ path }) => path === 'properties.level')!;
  assert.deepEqual(JSON.parse(level.sample!).event_name, 'level');
  const other = await makeGame('reject');
  assert.deepEqual(await other.list(), []);
});

test('events that are stored with a warning are grouped too, repeated ones are not', async () => {
  const game = await makeGame('warn');
  await game.putSchema(SCHEMA);
  assert.equal((await game.track(eventOf({ level: 'x' }))).body.warnings.length, 1);
  const send = () =>
    server.request('POST', '/v1/track', {
      key: game.production_key,
      body: [eventOf({ level: 2 }), eventOf({ level: 'y' })],
      headers: { 'idempotency-key': 'once' },
    });
  await send();
  await send();
  const [only, ...rest] = await game.listAfter(2);
  assert.deepEqual(rest, []);
  assert.equal(only!.kind, 'warned');
  assert.equal(only!.path, 'properties.level');
});

test('a key that invents kinds keeps a fixed number of them, and cannot displace those of others', async () => {
  const game = await makeGame('reject');
  const { body } = await server.request('POST', `${game.path}/api-keys`, {
    token: game.token,
    body: { name: 'Other build', environment: 'production' },
  });
  const other = await server.request('POST', '/v1/track', {
    key: body.key,
    body: { event_name: 'of the other key' },
  });
  assert.equal(other.status, 400, JSON.stringify(body));
  await game.listAfter(1);
  for (let round = 0; round < 3; round++) {
    const events = Array.from({ length: 90 }, (_, index) => ({
      event_name: `invented ${round} ${index} \0`,
      player_id: 7,
      text: 'long '.repeat(1_000),
    }));
    assert.equal((await game.track(events)).status, 400);
    await waitUntil('the round is noted', async () =>
      (await game.list()).some(isOf(`invented ${round}`)),
    );
  }
  const found = await game.list();
  assert.equal(found.length, MAX_PROBLEMS_OF_KEY + 1);
  assert.equal(found.filter(isOf('of the other key')).length, 1);
  const samples = found.flatMap(({ sample }) => sample ?? []);
  assert.ok(samples.length >= 2 && samples.every((text) => text.length <= MAX_SAMPLE_LENGTH + 1));
  assert.equal((await game.list(`&key_id=${body.id}`)).length, 1);
});

const isOf = (start: string) => (row: Problem) => row.event_name?.startsWith(start) === true;

test('a game with many keys leaves room for the problems of others', async () => {
  const many = await makeGame('reject');
  const other = await makeGame('reject');
  const kinds = createProblemKinds(server.database);
  const callerOf = ({ game_id }: { game_id: string }): KeyCaller => ({
    kind: 'key',
    key_id: randomUUID(),
    key_kind: 'client',
    first_key_id: randomUUID(),
    game_id,
    environment: 'production',
    event_quota: 1_000,
    environment_quota: null,
    event_validation: 'reject',
    player_name_property: null,
    verification: 'off',
    allows_claims: false,
    raised_requests: null,
    shares: null,
  });
  for (let key = 0; key < MAX_API_KEYS; key++) {
    const violations = Array.from({ length: MAX_PROBLEMS_OF_KEY }, (_, index) => ({
      index,
      event_name: `invented ${index}`,
      path: '',
      message: 'wrong',
    }));
    kinds.note(callerOf(many), 'refused', violations, []);
  }
  const [violation] = [{ index: 0, event_name: 'level', path: '', message: 'wrong' }];
  kinds.note(callerOf(other), 'refused', [violation], []);
  await kinds.flush();
  assert.deepEqual(
    (await other.list()).map(({ event_name }) => event_name),
    ['level'],
  );
});

test('an erasure removes the samples of the player and keeps the counts', async () => {
  const game = await makeGame('reject');
  await game.track(eventOf({}, 'ada'));
  await game.track({ event_name: 'level', player_id: 'ada' });
  const [before_erasure] = await game.listAfter(1);
  assert.equal(before_erasure!.player_id, 'ada');
  const exported = await server.request(
    'GET',
    `${game.path}/players/ada/export?environment=production`,
    {
      token: game.token,
    },
  );
  assert.equal(exported.body.event_problems.length, 1);
  const erased = await server.request('DELETE', `${game.path}/players/ada?environment=production`, {
    token: game.token,
  });
  assert.equal(erased.status, 204, JSON.stringify(erased.body));
  const [row] = await game.list();
  assert.deepEqual([row!.event_count, row!.sample, row!.player_id], [1, null, null]);
});

test('samples and kinds end after seven days', async () => {
  const game = await makeGame('reject');
  await game.track({ event_name: 'level' });
  await game.listAfter(1);
  const eight_days_ago = new Date(Date.now() - 8 * 86_400_000).toISOString();
  const age = (column: string) =>
    game.database.execute({
      text: `UPDATE event_problems SET ${column} = $2::timestamptz WHERE game_id = $1`,
      values: [game.game_id, eight_days_ago],
    });
  await age('sample_at');
  await deleteOldKinds(game.database);
  assert.equal((await game.list())[0]!.sample, null);
  await age('last_at');
  assert.deepEqual(await game.list(), []);
  await deleteOldKinds(game.database);
  const left = await game.database.query(sql`
    SELECT FROM event_problems WHERE game_id = ${game.game_id}`);
  assert.equal(left.length, 0);
});

test('viewers may not see samples', async () => {
  const game = await makeGame('reject');
  const viewer = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
  const path = `${game.path}/event-problems?environment=production`;
  assert.equal((await server.request('GET', path, { token: viewer.token })).status, 403);
});
