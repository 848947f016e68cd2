import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MAX_DEFINITIONS_BYTES } from '@overworld/contract/definitions/definitions';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { watchEventLoop } from './test/event-loop.ts';
import { makeFilesStudio } from './test/studio.ts';
import type { FilesStudio, TestDocument } from './test/studio.ts';

/** Repeats a text until a body of definitions is as large as it may be. */
function fill(head: string, one: (index: number) => string, tail: string, bytes: number): string {
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let index = 0; ; index++) {
    const part = (index > 0 ? ',' : '') + one(index);
    length += part.length;
    if (length > bytes) return head + parts.join('') + tail;
    parts.push(part);
  }
}

const BODY = ['{"definitions":[', ']}'] as const;
const PART_BYTES = 255 * 1024;

/** Makes a body of documents that are as large as they may be. */
const ofLarge = (one: (index: number) => string) => {
  const document = (index: number) =>
    fill(
      `{"kind":"event_schema","key":"e${index}","definition":{"schema":{`,
      one,
      '}}}',
      PART_BYTES,
    );
  return fill(BODY[0], document, BODY[1], MAX_DEFINITIONS_BYTES);
};

/** Makes the JSON of the variants and metrics of an experiment that is as large as it may be. */
const largeExperiment = (one: (index: number) => string): string =>
  fill(
    '"variants":[{"name":"A","weight":1},{"name":"B","weight":1,"values":{',
    one,
    '}}],"metrics":[{"kind":"retention","days":1}]',
    63 * 1024,
  );
/** A query of a card with as many conditions as it may have. */
const LARGE_QUERY = `players=${encodeURIComponent(
  JSON.stringify({
    properties: Array.from({ length: 20 }, (_, index) => ({
      property: `p${index}`,
      operator: 'eq',
      value: 'x'.repeat(200),
    })),
  }),
)}`;

const LONG_NAME = 'x'.repeat(16_000);
/** A config with a member of a long name. What is below it in another config differs in many places. */
const PARENT = {
  kind: 'remote_config',
  key: 'production',
  definition: { parameters: { p: { value: { [LONG_NAME]: {} } } } },
};

/** Bodies that take as much CPU as possible. */
const COSTLY: Record<string, string> = {
  'different keys': ofLarge((index) => `"k${index}":0`),
  'different objects': ofLarge((index) => `"k${index}":{"${index}":0}`),
  'wide numbers': ofLarge((index) => `"k${index}":${index < 5_000 ? '9007199254740993' : '[]'}`),
  'escaped keys': ofLarge((index) => `"\\u0041${index}":0`),
  'a config': `${BODY[0]}${fill(
    '{"kind":"remote_config","key":"production","definition":{"parameters":{',
    (index) => `"k${index}":{"value":{"${index}":{"a":${index},"b":["${'x'.repeat(200)}"]}}}`,
    '}}}',
    PART_BYTES,
  )}${BODY[1]}`,
  'leaves below a long name': `${BODY[0]}${fill(
    `{"kind":"remote_config","key":"production","definition":{"parameters":{"p":{"value":{"${LONG_NAME}":{`,
    (index) => `"${index}":0`,
    '}}}}}}',
    PART_BYTES,
  )}${BODY[1]}`,
  experiments: fill(
    BODY[0],
    (index) =>
      `{"kind":"experiment","key":"production/e${index}","definition":{"share":1,${largeExperiment((key) => `"k${key}":{"${key}":[0]}`)}}}`,
    BODY[1],
    MAX_DEFINITIONS_BYTES,
  ),
  'cards of dashboards': fill(
    BODY[0],
    (index) =>
      `{"kind":"dashboard","key":"d${index}","definition":{"cards":${JSON.stringify(
        Array.from({ length: 20 }, () => ({
          title: 'x',
          report: 'retention',
          chart: 'curve',
          query: LARGE_QUERY,
        })),
      )}}}`,
    BODY[1],
    MAX_DEFINITIONS_BYTES,
  ),
  'many achievements': fill(
    BODY[0],
    (index) => `{"kind":"achievement","key":"a${index}","definition":{"name":"x"}}`,
    BODY[1],
    700 * 1024,
  ),
  'one definition': fill(
    '{"definitions":[{"kind":"event_schema","key":"e","definition":{"schema":{',
    (index) => `"k${index}":0`,
    '}}}]}',
    MAX_DEFINITIONS_BYTES,
  ),
  'other members': fill(
    '{"definitions":[],',
    (index) => `"k${index}":0`,
    '}',
    MAX_DEFINITIONS_BYTES,
  ),
  'a mistake at its end': fill(
    '{"definitions":[],',
    (index) => `"k${index}":0`,
    '',
    MAX_DEFINITIONS_BYTES,
  ),
};

/** Longer turns would delay the requests of all games. Usual ones take up to 10 ms. */
const MAX_TURN_MS = 100;

suite('large plans', () => {
  let server: TestServer;
  before(async () => {
    const env = { WORKERS: '1', TRUST_PROXY: 'loopback' };
    server = await startTestServer({ checks_answers: false, env });
  });
  after(() => server.close());

  let addresses = 0;
  /**
   * Sends a request that changes nothing up to three times, and takes the shortest of the longest turns: a turn
   * may also collect the garbage of the test.
   */
  const measureOften = async (...sent: Parameters<typeof measure>) => {
    let best = await measure(...sent);
    for (let repeated = 0; repeated < 2 && best.longest_ms >= MAX_TURN_MS; repeated++) {
      const { longest_ms } = await measure(...sent);
      best = { ...best, longest_ms: Math.min(best.longest_ms, longest_ms) };
    }
    return best;
  };

  /** Sends a request from an address of its own, and measures the longest turn of the event loop. */
  const measure = async (studio: FilesStudio, method: string, at: string, body?: unknown) => {
    const headers = { 'x-forwarded-for': `192.0.2.${++addresses}` };
    const { token } = studio;
    const sent = body === undefined ? undefined : Buffer.from(body as string);
    const watch = watchEventLoop();
    const path = `${server.url}/v1/games/${studio.game_id}/definitions${at}`;
    const response = await fetch(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: sent,
    });
    // The test takes the answer as bytes, so that it does not parse in the same event loop.
    const answer = Buffer.from(await response.arrayBuffer());
    return { longest_ms: watch.stop(), status: response.status, answer };
  };

  const setLimits = (game_id: string, limits: object) =>
    server.database.execute(
      sql`UPDATE games SET limit_overrides = ${JSON.stringify(limits)} WHERE id = ${game_id}`,
    );

  for (const [name, body] of Object.entries(COSTLY)) {
    test(`a body with ${name} keeps no other request waiting`, async () => {
      const studio = await makeFilesStudio(server);
      await studio.planAndApply([PARENT]);
      const { longest_ms, status, answer } = await measureOften(studio, 'POST', '/plan', body);
      assert.ok(status === 200 || status === 400, answer.toString('utf8', 0, 1_000));
      assert.ok(longest_ms < MAX_TURN_MS, `${longest_ms} ms`);
      assert.ok(answer.length < 2 * MAX_DEFINITIONS_BYTES, `${answer.length} bytes`);
    });
  }

  test('1,000 achievements are made, changed and deleted by one apply each', async () => {
    const studio = await makeFilesStudio(server);
    await setLimits(studio.game_id, { achievements: 1_000 });
    const make = (points: number) =>
      Array.from({ length: 1_000 }, (_, index) => ({
        kind: 'achievement',
        key: `a${index}`,
        definition: { name: 'One of many', points },
      }));
    for (const definitions of [make(1), make(2), []]) {
      const body = { definitions, prune: true };
      const planned = await measureOften(studio, 'POST', '/plan', JSON.stringify(body));
      assert.equal(planned.status, 200);
      const { plan, changes } = JSON.parse(planned.answer.toString());
      assert.equal(changes.length, 1_000);
      const applied = await measure(studio, 'POST', '/apply', JSON.stringify({ ...body, plan }));
      assert.equal(applied.status, 200, applied.answer.toString('utf8', 0, 1_000));
      assert.ok(planned.longest_ms < MAX_TURN_MS, `${planned.longest_ms} ms`);
      assert.ok(applied.longest_ms < MAX_TURN_MS, `${applied.longest_ms} ms`);
    }
    const { definitions } = await studio.read();
    assert.ok(definitions.every(({ kind }: TestDocument) => kind !== 'achievement'));
  });

  test('an apply reads the uses of all its things once', async () => {
    const studio = await makeFilesStudio(server);
    const make = (...names: string[]) =>
      Array.from({ length: 500 }, (_, index) => ({
        kind: 'event_schema',
        key: `e${index}`,
        definition: { schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } },
      }));
    assert.equal((await studio.planAndApply(make('a', 'b'))).status, 200);
    const conditions = Array.from({ length: 60 }, (_, index) => ({
      property: `p${index}`,
      operator: 'eq',
      value: 'x'.repeat(20),
    }));
    const query = `events=${encodeURIComponent(JSON.stringify([{ event_name: 'e1', filter: conditions }]))}`;
    await server.database.ofGame(studio.game_id).execute(sql`
      INSERT INTO saved_reports (game_id, kind, name, query, updated_at)
      SELECT ${studio.game_id}, 'funnel', 'r' || n, ${query}, now() FROM generate_series(1, 500) n`);
    const { plan } = (await studio.plan(make('a'))).body;
    const began = process.cpuUsage();
    const body = JSON.stringify({ definitions: make('a'), plan });
    const applied = await measure(studio, 'POST', '/apply', body);
    const { user, system } = process.cpuUsage(began);
    assert.equal(applied.status, 200, applied.answer.toString('utf8', 0, 1_000));
    assert.ok(applied.longest_ms < MAX_TURN_MS, `${applied.longest_ms} ms`);
    const seconds = (user + system) / 1e6;
    assert.ok(seconds < 5, `${seconds} s of CPU`);
  });

  test('a game with as much as it may have is read and compared in short turns', async () => {
    const studio = await makeFilesStudio(server);
    const { game_id } = studio;
    await setLimits(game_id, { event_schemas: 1_000 });
    const properties = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`k${index}`, { type: 'string' }]),
    );
    await server.database.ofGame(game_id).execute(sql`
      INSERT INTO event_schemas (game_id, event_name, schema, updated_at)
      SELECT ${game_id}, 'event ' || n, ${JSON.stringify({ type: 'object', properties })}, now()
      FROM generate_series(1, 1000) AS n`);
    const experiment = `{"condition":null,${largeExperiment((key) => `"k${key}":{"${key}":[0]}`)}}`;
    await server.database.ofGame(game_id).execute(sql`
      INSERT INTO experiments (game_id, environment, name, share, definition)
      SELECT ${game_id}, 'production', 'e' || n, 1, ${experiment} FROM generate_series(1, 200) AS n`);
    const cards = Array.from({ length: 20 }, (_, index) => ({
      id: `${index}`,
      title: 'x',
      report: 'retention',
      chart: 'curve',
      query: 'x'.repeat(12_000),
      width: 'half',
      last_days: 7,
      from: null,
      to: null,
    }));
    await server.database.ofGame(game_id).execute(sql`
      INSERT INTO dashboards (game_id, name, position, cards)
      SELECT ${game_id}, 'd' || n, n, ${JSON.stringify(cards)} FROM generate_series(1, 50) AS n`);
    const parameters = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [
        `k${index}`,
        { value: { text: 'x'.repeat(200) } },
      ]),
    );
    const config = { kind: 'remote_config', key: 'production', definition: { parameters } };
    const applied = await studio.planAndApply([config]);
    assert.equal(applied.status, 200, applied.text);
    const read = await measureOften(studio, 'GET', '');
    assert.equal(read.status, 200);
    assert.ok(read.answer.length > 12_000_000);
    const body = JSON.stringify({ definitions: [], prune: true });
    const planned = await measureOften(studio, 'POST', '/plan', body);
    for (const { longest_ms } of [read, planned]) {
      assert.ok(longest_ms < MAX_TURN_MS, `${longest_ms} ms`);
    }
  });
});
