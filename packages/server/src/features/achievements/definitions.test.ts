import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAnswer } from '../../../test/test-request.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeAchievementStudio } from './test/studio.ts';

const countsOf = ({ body }: TestAnswer) =>
  body.achievements.map((a: Record<string, unknown>) => [a.unlock_count, a.unlock_share]);

suite('defining achievements', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makeStudio = (keys?: string[]) => makeAchievementStudio(server, keys);

  test('POST adds an achievement at the end of the list, and fills in defaults', async () => {
    const studio = await makeStudio(['a']);
    const { status, body } = await studio.create({ key: 'b', name: 'Bee', archived: true });
    assert.equal(status, 201);
    const { created_at, updated_at, ...rest } = body;
    assert.equal(Object.keys(body)[0], 'id');
    assert.ok(Date.parse(created_at) <= Date.parse(updated_at));
    assert.deepEqual(rest, {
      id: 'b',
      key: 'b',
      name: 'Bee',
      description: '',
      translations: {},
      icon_url: '',
      points: 0,
      unlock_when: [],
      hidden: false,
      writes_from: 'anyone',
      position: 2,
      archived: false,
    });
    const audit = await studio.listChanges();
    assert.deepEqual(
      audit.map(({ action, target }) => `${action} ${target}`),
      ['create_achievement a', 'create_achievement b'],
    );
    assert.ok(!('archived' in audit[1]!.details));
  });

  test('a key that is taken is answered with 409, even when parallel requests create it', async () => {
    const studio = await makeStudio();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => studio.create({ key: 'a', name: 'A' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    const refused = answers.find(({ status }) => status === 409)!;
    assert.deepEqual(refused.body, { error: 'An achievement with this key exists already' });
    assert.equal(await studio.listKeys(), 'a');
  });

  test('bad fields are answered with 400 and the name of the field, and nothing is stored', async () => {
    const studio = await makeStudio(['a']);
    const cases: [Record<string, unknown>, string][] = [
      [{ key: undefined }, 'key is required'],
      [{ name: undefined }, 'name is required'],
      [{ key: '' }, 'key must not be empty'],
      [{ key: 'x'.repeat(256) }, 'key must have at most 255 characters'],
      [{ name: 'x'.repeat(256) }, 'name must have at most 255 characters'],
      [{ description: 'x'.repeat(2001) }, 'description must have at most 2000 characters'],
      [{ translations: { english: 5 } }, 'translations.english must be a JSON object'],
      [{ translations: { de: { title: 'x' } } }, 'translations.de.title is not allowed'],
      [{ translations: { de: { name: ' ' } } }, 'translations.de.name must not be empty'],
      [
        { translations: { de_DE: {} } },
        'translations.de_DE must be a language by its BCP 47 tag, such as de or pt-BR',
      ],
      [{ translations: { PT: {} } }, 'translations.PT must be written as pt'],
      [{ translations: { iw: {} } }, 'translations.iw must be written as he'],
      [
        {
          translations: Object.fromEntries(
            Array.from({ length: 31 }, (_, index) => [`en-x-${index + 10}`, {}]),
          ),
        },
        'translations must have at most 30 members',
      ],
      [
        {
          translations: Object.fromEntries(
            ['de', 'en', 'es', 'fr', 'it'].map((tag) => [tag, { description: 'ü'.repeat(2_000) }]),
          ),
        },
        'translations must have at most 16,384 bytes of JSON',
      ],
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
      const answer = await studio.create({ key: 'b', name: 'B', ...fields });
      assert.equal(answer.status, 400, JSON.stringify(fields));
      assert.deepEqual(answer.body, { error });
      if ('key' in fields) continue;
      if (fields.name === undefined && 'name' in fields) continue;
      assert.deepEqual((await studio.patch('a', fields)).body, { error });
    }
    assert.deepEqual((await studio.patch('a', {})).body, {
      error: 'The request body must not be empty',
    });
    assert.equal(await studio.listKeys(), 'a');
    assert.equal((await studio.listChanges()).length, 1);
  });

  test('PATCH changes only the given fields, and a field that is sent as null keeps its value', async () => {
    const studio = await makeStudio();
    const made = await studio.create({ key: 'a', name: 'A', description: 'd', points: 5 });
    const { status, body } = await studio.patch('a', { points: 0, hidden: true, name: null });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, updated_at: null },
      { ...made.body, points: 0, hidden: true, updated_at: null },
    );
    assert.deepEqual((await studio.listChanges())[1], {
      action: 'update_achievement',
      target: 'a',
      details: { points: 0, hidden: true },
    });
  });

  test('changed points count at once in the totals of players who have the achievement', async () => {
    const studio = await makeStudio(['a']);
    await studio.unlock(studio.production_key, 'p1', 'a');
    await studio.patch('a', { points: 40 });
    const again = await studio.unlock(studio.production_key, 'p1', 'a');
    assert.equal(again.body.total_points, 40);
    const path = '/v1/achievements?player_id=p1';
    const listed = await server.request('GET', path, { key: studio.production_key });
    assert.equal(listed.body.unlocked_points, 40);
  });

  test('a new position moves an achievement, at most to the end; the others keep their order', async () => {
    const studio = await makeStudio(['a', 'b', 'c', 'd']);
    assert.equal((await studio.patch('d', { position: 1 })).body.position, 1);
    assert.equal(await studio.listKeys(), 'dabc');
    await studio.patch('d', { position: 3 });
    assert.equal(await studio.listKeys(), 'abdc');
    assert.equal((await studio.patch('a', { position: 2_000_000_000 })).body.position, 4);
    assert.equal(await studio.listKeys(), 'bdca');
    const created = await studio.create({ key: 'e', name: 'E', position: 2 });
    assert.equal(created.body.position, 2);
    assert.equal(await studio.listKeys(), 'bedca');
    const clients = await server.request('GET', '/v1/achievements', { key: studio.production_key });
    assert.equal(clients.body.achievements.map((a: { key: string }) => a.key).join(''), 'bedca');
  });

  test('after parallel moves, creations and deletions the positions are 1, 2, 3… without gaps', async () => {
    const studio = await makeStudio(['a', 'b', 'c', 'd', 'e', 'f']);
    await Promise.all([
      ...['a', 'b', 'c'].map((key, n) => studio.patch(key, { position: 6 - n })),
      ...['g', 'h'].map((key) => studio.create({ key, name: key, position: 1 })),
      ...['d', 'e'].map((key) => studio.remove(key)),
    ]);
    const { body } = await studio.list();
    assert.deepEqual(
      body.achievements.map(({ position }: { position: number }) => position),
      [1, 2, 3, 4, 5, 6],
    );
    assert.equal([...(await studio.listKeys())].toSorted().join(''), 'abcfgh');
  });

  test('DELETE deletes an achievement that nobody has, and frees its key', async () => {
    const studio = await makeStudio(['a', 'b']);
    const { status, body } = await studio.remove('a');
    assert.equal(status, 200);
    assert.deepEqual(body, { key: 'a', result: 'deleted' });
    assert.equal((await studio.remove('a')).status, 404);
    assert.equal((await studio.patch('a', { points: 1 })).status, 404);
    assert.equal((await studio.unlock(studio.production_key, 'p1', 'a')).status, 404);
    assert.equal((await studio.create({ key: 'a', name: 'Again' })).body.position, 2);
  });

  test('DELETE archives an achievement that players have, and the answer says so', async () => {
    const studio = await makeStudio(['a', 'b']);
    await studio.unlock(studio.development_key, 'p1', 'a');
    assert.deepEqual((await studio.remove('a')).body, { key: 'a', result: 'archived' });
    const [archived] = (await studio.list()).body.achievements;
    assert.equal(archived.archived, true);
    assert.equal((await studio.create({ key: 'a', name: 'A' })).status, 409);
    assert.equal((await studio.patch('a', { archived: false })).body.archived, false);
    assert.equal((await studio.unlock(studio.production_key, 'p2', 'a')).status, 200);
    const audit = (await studio.listChanges()).slice(2);
    const actions = audit.map(({ action }) => action);
    assert.deepEqual(actions, ['archive_achievement', 'update_achievement']);
    assert.equal(audit[0]!.details.name, (await studio.list()).body.achievements[0].name);
  });

  test('GET lists all achievements unmasked, with the number and share of their players', async () => {
    const studio = await makeStudio(['a', 'b']);
    await studio.patch('b', { hidden: true, description: 'Secret' });
    for (const player of ['p1', 'p2', 'p3', 'p4']) {
      await studio.unlock(studio.production_key, player, 'a');
    }
    await studio.unlock(studio.production_key, 'p1', 'b');
    await studio.unlock(studio.development_key, 'p1', 'b');
    const production = await studio.list();
    assert.equal(production.body.player_count, 4);
    assert.equal(production.body.next_cursor, null);
    assert.equal(production.body.achievements[1].description, 'Secret');
    assert.deepEqual(countsOf(production), [
      [4, 1],
      [1, 0.25],
    ]);
    assert.deepEqual(countsOf(await studio.list('?environment=development')), [
      [0, 0],
      [1, 1],
    ]);
    const wrong = await studio.list('?environment=staging');
    assert.equal(wrong.status, 400);
  });

  test('a game on the Free tier has at most 500 achievements', async () => {
    const studio = await makeStudio();
    await server.database.execute(sql`
      INSERT INTO achievements (game_id, key, name, position)
      SELECT ${studio.game_id}, 'k' || n, 'Name', n FROM generate_series(1, 499) AS n`);
    const statuses = await Promise.all(
      ['a', 'b'].map(async (key) => (await studio.create({ key, name: key })).status),
    );
    assert.deepEqual(statuses.toSorted(), [201, 403]);
  });

  test('a path with the key of an achievement finds the achievement, whatever characters the key has', async () => {
    const studio = await makeStudio();
    const keys = ['a/b', 'ü%2F', '__proto__', 'x'.repeat(255), '💥'.repeat(255), "' OR 1=1 --"];
    for (const key of keys) {
      assert.equal((await studio.create({ key, name: 'Name' })).status, 201, key);
      assert.equal((await studio.patch(key, { points: 3 })).body?.key, key);
      assert.equal(
        (await studio.unlock(studio.production_key, 'p1', key)).body.achievement.key,
        key,
      );
    }
  });

  test('a viewer may read but not change achievements, and strangers see no game', async () => {
    const studio = await makeStudio(['a']);
    const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'viewer' });
    const viewer = studio.as(token);
    assert.equal((await viewer.list()).status, 200);
    const player = `/v1/games/${studio.game_id}/players/p1/achievements/a`;
    const refused = await Promise.all([
      viewer.create({ key: 'b', name: 'B' }),
      viewer.patch('a', { points: 1 }),
      viewer.remove('a'),
      server.request('POST', player, { token }),
      server.request('DELETE', player, { token }),
    ]);
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403, 403, 403],
    );
    const stranger = studio.as((await server.makeAccount()).token);
    assert.deepEqual((await stranger.list()).body, { error: 'Game not found' });
    assert.equal((await server.request('GET', studio.path)).status, 401);
  });
});
