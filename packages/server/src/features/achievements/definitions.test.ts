import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestAnswer, TestGame, TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

const countsOf = ({ body }: TestAnswer) =>
  body.achievements.map((a: Record<string, unknown>) => [a.unlock_count, a.unlock_share]);

suite('defining achievements', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  interface Studio extends TestGame {
    token: string;
    path: string;
  }

  /** A game with a developer, and achievements with the given keys. */
  async function makeStudio(keys: string[] = []): Promise<Studio> {
    const game = await server.makeGame();
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
    const studio = { ...game, token, path: `/v1/games/${game.game_id}/achievements` };
    for (const key of keys) assert.equal((await create(studio, { key, name: key })).status, 201);
    return studio;
  }

  const create = ({ path, token }: Studio, body: unknown) =>
    server.request('POST', path, { token, body });
  const patch = ({ path, token }: Studio, key: string, body: unknown) =>
    server.request('PATCH', `${path}/${encodeURIComponent(key)}`, { token, body });
  const remove = ({ path, token }: Studio, key: string) =>
    server.request('DELETE', `${path}/${encodeURIComponent(key)}`, { token });
  const list = ({ path, token }: Studio, query = '') =>
    server.request('GET', path + query, { token });
  const listKeys = async (studio: Studio) =>
    (await list(studio)).body.achievements.map(({ key }: { key: string }) => key).join('');
  const unlock = (key: string, player_id: string, achievement_key: string) =>
    server.request('POST', '/v1/achievements/unlock', {
      key,
      body: { achievement_key, player_id },
    });
  const auditOf = ({ game_id }: Studio) =>
    server.database.query<{ action: string; target: string; details: Record<string, unknown> }>(
      sql`SELECT action, target, details FROM audit_log WHERE game_id = ${game_id} ORDER BY id`,
    );

  test('POST adds an achievement at the end of the list, and fills in defaults', async () => {
    const studio = await makeStudio(['a']);
    const { status, body } = await create(studio, { key: 'b', name: 'Bee', archived: true });
    assert.equal(status, 201);
    const { created_at, updated_at, ...rest } = body;
    assert.equal(Object.keys(body)[0], 'id');
    assert.ok(Date.parse(created_at) <= Date.parse(updated_at));
    assert.deepEqual(rest, {
      id: 'b',
      key: 'b',
      name: 'Bee',
      description: '',
      icon_url: '',
      points: 0,
      hidden: false,
      writes_from: 'anyone',
      position: 2,
      archived: false,
    });
    const audit = await auditOf(studio);
    assert.deepEqual(
      audit.map(({ action, target }) => `${action} ${target}`),
      ['create_achievement a', 'create_achievement b'],
    );
    assert.ok(!('archived' in audit[1]!.details));
  });

  test('a key that is taken answers 409, also when it is created twice at once', async () => {
    const studio = await makeStudio();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create(studio, { key: 'a', name: 'A' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    const refused = answers.find(({ status }) => status === 409)!;
    assert.deepEqual(refused.body, { error: 'An achievement with this key exists already' });
    assert.equal(await listKeys(studio), 'a');
  });

  test('bad fields answer 400 naming the field, and nothing is stored', async () => {
    const studio = await makeStudio(['a']);
    const cases: [Record<string, unknown>, string][] = [
      [{ key: undefined }, 'key is required'],
      [{ name: undefined }, 'name is required'],
      [{ key: '' }, 'key must not be empty'],
      [{ key: 'x'.repeat(256) }, 'key must have at most 255 characters'],
      [{ name: 'x'.repeat(256) }, 'name must have at most 255 characters'],
      [{ description: 'x'.repeat(2001) }, 'description must have at most 2000 characters'],
      [{ icon_url: 5 }, 'icon_url must be a string'],
      [{ points: -1 }, 'points must be at least 0'],
      [{ points: 1.5 }, 'points must be a whole number'],
      [{ points: '5' }, 'points must be a whole number'],
      [{ points: 1_000_001 }, 'points must be at most 1000000'],
      [{ points: 1e300 }, 'points must be at most 1000000'],
      [{ hidden: 'yes' }, 'hidden must be true or false'],
      [{ position: 0 }, 'position must be at least 1'],
      [{ name: 'a\0' }, 'name must not contain \\u0000'],
    ];
    for (const [fields, error] of cases) {
      const answer = await create(studio, { key: 'b', name: 'B', ...fields });
      assert.equal(answer.status, 400, JSON.stringify(fields));
      assert.deepEqual(answer.body, { error });
      if ('key' in fields) continue;
      if (fields.name === undefined && 'name' in fields) continue;
      assert.deepEqual((await patch(studio, 'a', fields)).body, { error });
    }
    assert.deepEqual((await patch(studio, 'a', {})).body, {
      error: 'The request body must not be empty',
    });
    assert.equal(await listKeys(studio), 'a');
    assert.equal((await auditOf(studio)).length, 1);
  });

  test('PATCH changes only the given fields, and takes null as left out', async () => {
    const studio = await makeStudio();
    const made = await create(studio, { key: 'a', name: 'A', description: 'd', points: 5 });
    const { status, body } = await patch(studio, 'a', { points: 0, hidden: true, name: null });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, updated_at: null },
      { ...made.body, points: 0, hidden: true, updated_at: null },
    );
    assert.deepEqual((await auditOf(studio))[1], {
      action: 'update_achievement',
      target: 'a',
      details: { points: 0, hidden: true },
    });
  });

  test('changed points count at once in the totals of players who have it', async () => {
    const studio = await makeStudio(['a']);
    await unlock(studio.production_key, 'p1', 'a');
    await patch(studio, 'a', { points: 40 });
    const again = await unlock(studio.production_key, 'p1', 'a');
    assert.equal(again.body.total_points, 40);
    const path = '/v1/achievements?player_id=p1';
    const listed = await server.request('GET', path, { key: studio.production_key });
    assert.equal(listed.body.unlocked_points, 40);
  });

  test('position moves an achievement, at most to the end, and the others keep their order', async () => {
    const studio = await makeStudio(['a', 'b', 'c', 'd']);
    assert.equal((await patch(studio, 'd', { position: 1 })).body.position, 1);
    assert.equal(await listKeys(studio), 'dabc');
    await patch(studio, 'd', { position: 3 });
    assert.equal(await listKeys(studio), 'abdc');
    assert.equal((await patch(studio, 'a', { position: 2_000_000_000 })).body.position, 4);
    assert.equal(await listKeys(studio), 'bdca');
    const created = await create(studio, { key: 'e', name: 'E', position: 2 });
    assert.equal(created.body.position, 2);
    assert.equal(await listKeys(studio), 'bedca');
    const clients = await server.request('GET', '/v1/achievements', { key: studio.production_key });
    assert.equal(clients.body.achievements.map((a: { key: string }) => a.key).join(''), 'bedca');
  });

  test('moves, creations and deletions at once leave the positions 1, 2, 3… without gaps', async () => {
    const studio = await makeStudio(['a', 'b', 'c', 'd', 'e', 'f']);
    await Promise.all([
      ...['a', 'b', 'c'].map((key, n) => patch(studio, key, { position: 6 - n })),
      ...['g', 'h'].map((key) => create(studio, { key, name: key, position: 1 })),
      ...['d', 'e'].map((key) => remove(studio, key)),
    ]);
    const { body } = await list(studio);
    assert.deepEqual(
      body.achievements.map(({ position }: { position: number }) => position),
      [1, 2, 3, 4, 5, 6],
    );
    assert.equal([...(await listKeys(studio))].toSorted().join(''), 'abcfgh');
  });

  test('DELETE deletes an achievement that nobody has, and frees its key', async () => {
    const studio = await makeStudio(['a', 'b']);
    const { status, body } = await remove(studio, 'a');
    assert.equal(status, 200);
    assert.deepEqual(body, { key: 'a', result: 'deleted' });
    assert.equal((await remove(studio, 'a')).status, 404);
    assert.equal((await patch(studio, 'a', { points: 1 })).status, 404);
    assert.equal((await unlock(studio.production_key, 'p1', 'a')).status, 404);
    assert.equal((await create(studio, { key: 'a', name: 'Again' })).body.position, 2);
  });

  test('DELETE of an achievement that players have archives it, and says so', async () => {
    const studio = await makeStudio(['a', 'b']);
    await unlock(studio.development_key, 'p1', 'a');
    assert.deepEqual((await remove(studio, 'a')).body, { key: 'a', result: 'archived' });
    const [archived] = (await list(studio)).body.achievements;
    assert.equal(archived.archived, true);
    assert.equal((await create(studio, { key: 'a', name: 'A' })).status, 409);
    assert.equal((await patch(studio, 'a', { archived: false })).body.archived, false);
    assert.equal((await unlock(studio.production_key, 'p2', 'a')).status, 200);
    const audit = (await auditOf(studio)).slice(2);
    const actions = audit.map(({ action }) => action);
    assert.deepEqual(actions, ['archive_achievement', 'update_achievement']);
    assert.equal(audit[0]!.details.name, (await list(studio)).body.achievements[0].name);
  });

  test('GET lists all achievements unmasked, with the number and share of their players by environment', async () => {
    const studio = await makeStudio(['a', 'b']);
    await patch(studio, 'b', { hidden: true, description: 'Secret' });
    for (const player of ['p1', 'p2', 'p3', 'p4']) {
      await unlock(studio.production_key, player, 'a');
    }
    await unlock(studio.production_key, 'p1', 'b');
    await unlock(studio.development_key, 'p1', 'b');
    const production = await list(studio);
    assert.equal(production.body.player_count, 4);
    assert.equal(production.body.next_cursor, null);
    assert.equal(production.body.achievements[1].description, 'Secret');
    assert.deepEqual(countsOf(production), [
      [4, 1],
      [1, 0.25],
    ]);
    assert.deepEqual(countsOf(await list(studio, '?environment=development')), [
      [0, 0],
      [1, 1],
    ]);
    const wrong = await list(studio, '?environment=staging');
    assert.equal(wrong.status, 400);
  });

  test('a game on the Free tier has at most 500 achievements', async () => {
    const studio = await makeStudio();
    await server.database.execute(sql`
      INSERT INTO achievements (game_id, key, name, position)
      SELECT ${studio.game_id}, 'k' || n, 'Name', n FROM generate_series(1, 499) AS n`);
    const statuses = await Promise.all(
      ['a', 'b'].map(async (key) => (await create(studio, { key, name: key })).status),
    );
    assert.deepEqual(statuses.toSorted(), [201, 403]);
  });

  test('keys with any characters are found by their path', async () => {
    const studio = await makeStudio();
    const keys = ['a/b', 'ü%2F', '__proto__', 'x'.repeat(255), '💥'.repeat(255), "' OR 1=1 --"];
    for (const key of keys) {
      assert.equal((await create(studio, { key, name: 'Name' })).status, 201, key);
      assert.equal((await patch(studio, key, { points: 3 })).body?.key, key);
      assert.equal((await unlock(studio.production_key, 'p1', key)).body.achievement.key, key);
    }
  });

  test('a viewer reads and may not change, and strangers see no game', async () => {
    const studio = await makeStudio(['a']);
    const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'viewer' });
    const viewer = { ...studio, token };
    assert.equal((await list(viewer)).status, 200);
    const player = `/v1/games/${studio.game_id}/players/p1/achievements/a`;
    const refused = await Promise.all([
      create(viewer, { key: 'b', name: 'B' }),
      patch(viewer, 'a', { points: 1 }),
      remove(viewer, 'a'),
      server.request('POST', player, { token }),
      server.request('DELETE', player, { token }),
    ]);
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403, 403, 403],
    );
    const stranger = { ...studio, token: (await server.makeAccount()).token };
    assert.deepEqual((await list(stranger)).body, { error: 'Game not found' });
    assert.equal((await server.request('GET', studio.path)).status, 401);
  });
});
