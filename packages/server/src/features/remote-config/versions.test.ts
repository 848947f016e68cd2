import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAnswer } from '../../../test/test-request.ts';
import { sql } from '../../platform/database/sql.ts';

const numbersOf = ({ body }: TestAnswer) =>
  body.versions.map(({ version }: { version: number }) => version);

const withRule = (rule: object) => ({ a: { value: 1, rules: [{ value: 2, ...rule }] } });

suite('versions of a config', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function makeStudio(role: 'developer' | 'viewer' = 'developer') {
    const game = await server.makeGame();
    const { token, email } = await server.makeAccount({ game_id: game.game_id, role });
    const path = `/v1/games/${game.game_id}/config`;
    const send = (method: string, rest: string, body?: unknown) =>
      server.request(method, path + rest, { token, body });
    const put = (value: unknown, version?: number) =>
      send('PUT', '', { version, parameters: { a: { value } } });
    return { ...game, email, send, put };
  }

  test('each PUT makes a version with its author and time, unless no parameter has changed', async () => {
    const studio = await makeStudio();
    const first = await studio.put(1);
    assert.equal(first.status, 200);
    assert.equal(first.body.version, 1);
    assert.equal(first.body.created_by, studio.email);
    assert.ok(Math.abs(Date.now() - Date.parse(first.body.created_at)) < 60_000);
    assert.deepEqual((await studio.put(1)).body, first.body);
    assert.equal((await studio.put(2)).body.version, 2);
    const audit = await server.database.query<{ details: object }>(sql`
      SELECT details FROM audit_log WHERE game_id = ${studio.game_id} AND action = 'put_config'
      ORDER BY id`);
    assert.deepEqual(
      audit.map(({ details }) => details),
      [
        {
          version: 1,
          restored_version: null,
          schedule: null,
          added: ['a'],
          changed: [],
          removed: [],
        },
        {
          version: 2,
          restored_version: null,
          schedule: null,
          added: [],
          changed: ['a'],
          removed: [],
        },
      ],
    );
  });

  test('a number in another spelling makes no version, and a change of its last digit is a change', async () => {
    const studio = await makeStudio();
    const spellings = ['9007199254740993', '9007199254740993.0', '9007199254740992', '0.1', '1e-1'];
    const versions: number[] = [];
    for (const spelling of [...spellings, '0.10000000000000001']) {
      const { body } = await studio.send('PUT', '', `{"parameters":{"a":{"value":${spelling}}}}`);
      versions.push(body.version);
    }
    assert.deepEqual(versions, [1, 1, 2, 3, 3, 4]);
    const audit = await server.database.query<{ changed: string[] }>(sql`
      SELECT details -> 'changed' AS changed FROM audit_log
      WHERE game_id = ${studio.game_id} AND action = 'put_config' ORDER BY id`);
    assert.deepEqual(
      audit.map(({ changed }) => changed),
      [[], ['a'], ['a'], ['a']],
    );
  });

  test('a PUT that names an outdated version is answered 409, and nothing is stored', async () => {
    const studio = await makeStudio();
    assert.equal((await studio.put(1, 0)).status, 200);
    const refused = await studio.put(2, 0);
    assert.equal(refused.status, 409);
    assert.deepEqual(refused.body, { error: 'Version conflict', server_version: 1 });
    assert.equal((await studio.send('GET', '')).body.parameters.a.value, 1);
    assert.equal((await studio.put(2, 1)).body.version, 2);
  });

  test('of 12 concurrent PUTs that name the same version, exactly one is stored', async () => {
    const studio = await makeStudio();
    await studio.put('start');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => studio.put(n, 1)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      200,
      ...Array.from({ length: 11 }, () => 409),
    ]);
    assert.equal((await studio.send('GET', '')).body.version, 2);
  });

  test('concurrent PUTs without a version are each stored as a version', async () => {
    const studio = await makeStudio();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => studio.put(n)));
    const versions = answers.map(({ body }) => body.version).toSorted();
    assert.deepEqual(versions, [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('versions are listed in pages, the newest first', async () => {
    const studio = await makeStudio();
    for (let n = 1; n <= 5; n++) await studio.put(n);
    const first = await studio.send('GET', '/versions?limit=2');
    assert.deepEqual(numbersOf(first), [5, 4]);
    assert.equal(first.body.versions[0].parameter_count, 1);
    const second = await studio.send('GET', `/versions?limit=2&cursor=${first.body.next_cursor}`);
    assert.deepEqual(numbersOf(second), [3, 2]);
    const third = await studio.send('GET', `/versions?limit=2&cursor=${second.body.next_cursor}`);
    assert.deepEqual(numbersOf(third), [1]);
    assert.equal(third.body.next_cursor, null);
    assert.deepEqual(numbersOf(await studio.send('GET', '/versions?environment=development')), []);
    for (const cursor of ['x', 'WyJ4Il0', 'WyIxIiwiMiJd', 'bnVsbA']) {
      const refused = await studio.send('GET', `/versions?cursor=${cursor}`);
      assert.equal(refused.status, 400);
      assert.deepEqual(refused.body, { error: 'cursor is not valid' });
    }
  });

  test('a rollback makes a new version with the parameters of an earlier version', async () => {
    const studio = await makeStudio();
    const exact = '{"a":{"value":76561198000000001234}}';
    await studio.send('PUT', '', `{"parameters":${exact}}`);
    for (const value of [2, 3]) await studio.put(value);
    const { status, body, text } = await studio.send('POST', '/versions/1/rollback');
    assert.equal(status, 200);
    assert.ok(text.includes(exact), text);
    assert.equal(body.version, 4);
    assert.equal(body.restored_version, 1);
    const client = await server.request('GET', '/v1/config', { key: studio.production_key });
    assert.equal(client.text, '{"config":{"a":76561198000000001234},"version":4}');
    const again = await studio.send('POST', '/versions/1/rollback');
    assert.equal(again.body.version, 4, 'equal parameters make no version');
    assert.equal((await studio.send('GET', '/versions/2')).body.parameters.a.value, 2);
  });

  test('a request for an unknown version is answered 404, and for an invalid version 400', async () => {
    const studio = await makeStudio();
    await studio.put(1);
    for (const [method, rest] of [
      ['GET', '/versions/2'],
      ['POST', '/versions/2/rollback'],
      ['GET', '/versions/1?environment=development'],
    ] as const) {
      const answer = await studio.send(method, rest);
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.body, { error: 'Config version not found' });
    }
    for (const version of ['0', '-1', '1.5', 'x', '99999999999']) {
      assert.equal((await studio.send('GET', `/versions/${version}`)).status, 400, version);
    }
  });

  test('only the last 200 versions are kept', async () => {
    const studio = await makeStudio();
    await server.database.execute(sql`
      INSERT INTO config_versions (game_id, environment, version, parameters, parameter_count)
      SELECT ${studio.game_id}, 'production', n, '{}', 0 FROM generate_series(1, 200) AS n`);
    assert.equal((await studio.put(1)).body.version, 201);
    assert.equal((await studio.send('GET', '/versions/1')).status, 404);
    assert.equal((await studio.send('GET', '/versions/2')).status, 200);
  });

  test('a viewer may read and preview a config, but not change it', async () => {
    const viewer = await makeStudio('viewer');
    assert.equal((await viewer.send('GET', '')).status, 200);
    assert.equal((await viewer.send('GET', '/versions')).status, 200);
    assert.equal((await viewer.send('POST', '/preview', {})).status, 200);
    assert.equal((await viewer.put(1)).status, 403);
    assert.equal((await viewer.send('POST', '/versions/1/rollback')).status, 403);
    const stranger = await server.makeAccount();
    const path = `/v1/games/${viewer.game_id}/config`;
    const hidden = await server.request('GET', path, { token: stranger.token });
    assert.deepEqual(hidden.body, { error: 'Game not found' });
  });

  test('an invalid config is not stored, and the error names the place of the mistake', async () => {
    const studio = await makeStudio();
    const long = 'x'.repeat(256);
    const condition = (fields: object) =>
      withRule({ properties: [{ property: 'level', operator: 'eq', ...fields }] });
    const cases: [unknown, string][] = [
      [undefined, 'parameters is required'],
      [[], 'parameters must be a JSON object'],
      [{ a: 5 }, 'parameters.a must be a JSON object'],
      [{ a: {} }, 'parameters.a.value is required'],
      [{ a: { value: 1, defualt: 2 } }, 'parameters.a.defualt is not allowed'],
      [{ a: { value: 1, rules: {} } }, 'parameters.a.rules must be a list'],
      [{ '': { value: 1 } }, 'A key in parameters must not be empty'],
      [{ [long]: { value: 1 } }, 'A key in parameters must have at most 255 characters'],
      [withRule({ percentage: 100.1 }), 'parameters.a.rules[0].percentage must be at most 100'],
      [withRule({ percentage: -1 }), 'parameters.a.rules[0].percentage must be at least 0'],
      [withRule({ percentage: '5' }), 'parameters.a.rules[0].percentage must be a number'],
      [withRule({ percent: 5 }), 'parameters.a.rules[0].percent is not allowed'],
      [
        withRule({ properties: [{ property: 'a', operator: 'exists', vlaue: 1 }] }),
        'parameters.a.rules[0].properties[0].vlaue is not allowed',
      ],
      [
        withRule({}),
        'parameters.a.rules[0] must state has_tags, lacks_tags, properties or percentage',
      ],
      [{ a: { value: 1, rules: [{ percentage: 1 }] } }, 'parameters.a.rules[0].value is required'],
      [withRule({ has_tags: 'a' }), 'parameters.a.rules[0].has_tags must be a list'],
      [withRule({ has_tags: [] }), 'parameters.a.rules[0].has_tags must have at least 1 entry'],
      [withRule({ has_tags: ['a', ' '] }), 'parameters.a.rules[0].has_tags[1] must not be empty'],
      [
        condition({ operator: 'like', value: 1 }),
        'parameters.a.rules[0].properties[0].operator must be one of eq, ne',
      ],
      [condition({}), 'parameters.a.rules[0].properties[0].value is required'],
      [
        condition({ operator: 'exists', value: 1 }),
        'parameters.a.rules[0].properties[0].value is not allowed with exists',
      ],
      [
        condition({ operator: 'gt', value: true }),
        'parameters.a.rules[0].properties[0].value must be a number or a string with gt',
      ],
      [condition({ value: {} }), 'parameters.a.rules[0].properties[0].value must be a string'],
      [{ a: { value: 'a\0' } }, 'parameters.a.value must not contain \\u0000'],
      [{ 'a\0': { value: 1 } }, 'A key in parameters must not contain \\u0000'],
      [
        Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, { value: 1 }])),
        'parameters must have at most 1000 entries',
      ],
    ];
    for (const [parameters, error] of cases) {
      const answer = await studio.send('PUT', '', { parameters });
      assert.equal(answer.status, 400, error);
      assert.ok(answer.body.error.startsWith(error), `${answer.body.error}, not ${error}`);
    }
    const version = await studio.send('PUT', '', { version: -1, parameters: {} });
    assert.deepEqual(version.body, { error: 'version must be at least 0' });
    const large = await studio.put('x'.repeat(256 * 1024));
    assert.equal(large.status, 413);
    const infinite = await studio.send('PUT', '', '{"parameters":{"a":{"value":1e999}}}');
    assert.deepEqual(infinite.body, { error: 'parameters.a.value is too large' });
    assert.equal((await studio.send('GET', '')).body.version, 0);
  });
});
