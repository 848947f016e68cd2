import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';

/** The parts of DuckDB that the test uses. It is installed by this test alone, because it has 70 MB. */
interface DuckDb {
  DuckDBInstance: {
    create(): Promise<{ connect(): Promise<DuckDbConnection>; closeSync(): void }>;
  };
}
interface DuckDbConnection {
  run(statement: string): Promise<unknown>;
  runAndReadAll(statement: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>;
  closeSync(): void;
}

const run = promisify(execFile);
const imports = (module: string) => spawnSync('python3', ['-c', `import ${module}`]).status === 0;
const withoutPandas = !imports('pandas') && 'python3 or pandas is not installed';
const hasPyarrow = imports('pyarrow');
const FORMATS = ['parquet', 'ndjson', 'csv'];
const DOCS = new URL('../../../../../../docs/raw-events.md', import.meta.url);

let server: TestServer;
let project: string;
before(async () => {
  server = await startTestServer();
  project = await mkdtemp(join(tmpdir(), 'overworld-readers-'));
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    await cp(new URL(`test/readers/${name}`, import.meta.url), join(project, name));
  }
  await run('npm', ['ci', '--ignore-scripts'], { cwd: project });
  await exportFiles();
});
after(async () => {
  await server.close();
  await rm(project, { recursive: true });
});

/** Exports events with hostile texts in all formats. */
async function exportFiles(): Promise<void> {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
  const sent = [
    `{"event_name":"first","session_id":"007","player_id":"0042","properties":{"note":"ä, \\"b\\"\\n\\\\ \\u2028","steam_id":76561198000000001,"price":1.10,"long":123456789012345678901234567890,"list":[1,null,{"a":"b"}]},"client_timestamp":"2026-01-31T12:00:00.123Z"}`,
    `{"event_name":"two\\r\\nlines, \\"quoted\\"","session_id":"s"}`,
    `{"event_name":"long","session_id":"null","player_id":"NULL","properties":{"text":"${'x"'.replaceAll('"', '\\"').repeat(8_000)}"}}`,
  ];
  for (const body of sent) {
    const { status } = await server.request('POST', '/v1/track', {
      key: game.production_key,
      body,
    });
    assert.equal(status, 202);
  }
  for (const format of FORMATS) {
    const url = `${server.url}/v1/games/${game.game_id}/events/export?format=${format}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    await writeFile(join(project, `events.${format}`), bytes);
  }
}

/** Returns the statements in a section of the documentation. Those for DuckDB are in the order of `FORMATS`. */
async function readStatements(section: string): Promise<string[]> {
  const text = await readFile(DOCS, 'utf8');
  const [written] = text.slice(text.indexOf(`\n## ${section}\n`) + 1).split('\n## ', 1);
  return [...written!.matchAll(/```sql\n(.*);\n```/g)].map(([, statement]) => statement!);
}

test('DuckDB reads the same events from all three files by the statements of the documentation', async () => {
  const duckdb = createRequire(join(project, 'x.js'))('@duckdb/node-api') as DuckDb;
  const instance = await duckdb.DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`SET file_search_path = '${project}'; SET TimeZone = 'UTC'`);
  const read = await Promise.all(
    (await readStatements('DuckDB')).map(async (statement) => {
      const answer = await connection.runAndReadAll(`
        SELECT id, event_name, session_id, player_id, properties,
               properties::JSON->>'$.steam_id' AS steam_id,
               date_trunc('millisecond', client_timestamp) AS client_timestamp,
               date_trunc('millisecond', occurred_at) AS occurred_at,
               date_trunc('millisecond', received_at) AS received_at
        FROM (${statement}) ORDER BY received_at, id`);
      return answer.getRowObjectsJson().map(({ properties, ...row }) => ({
        ...row,
        properties: JSON.parse(String(properties)) as unknown,
      }));
    }),
  );
  // The statement for the folder of the continuing export, whose files are in folders for days.
  const [folder] = await readStatements('All events, continually');
  const place = `${project}/game=g/environment=production/day=2026-03-01`;
  await cp(join(project, 'events.parquet'), join(place, 'events-00000001-9f3c21d0.parquet'));
  const days = await connection.runAndReadAll(`
    SELECT day::text AS day, environment, count(*)::integer AS events
    FROM (${folder!.replace('/mnt/events', project)}) GROUP BY ALL`);
  assert.deepEqual(days.getRowObjectsJson(), [
    { day: '2026-03-01', environment: 'production', events: 3 },
  ]);
  connection.closeSync();
  instance.closeSync();
  assert.equal(read.length, 3);
  const [parquet, ndjson, csv] = read;
  assert.equal(parquet!.length, 3);
  assert.equal(parquet![0]!['steam_id' as never], '76561198000000001');
  assert.equal(parquet![0]!['session_id' as never], '007');
  assert.equal(parquet![0]!['client_timestamp' as never], '2026-01-31 12:00:00.123+00');
  assert.equal(parquet![2]!['player_id' as never], 'NULL');
  assert.deepEqual(ndjson, parquet);
  assert.deepEqual(csv, parquet);
});

test(
  'pandas reads the same events by the lines of the documentation',
  { skip: withoutPandas },
  async () => {
    const text = await readFile(DOCS, 'utf8');
    const [, lines] = /^## pandas\n\n```python\n(.*?)```/ms.exec(text)!;
    const isRead = (line: string) => line.startsWith('pd.read_');
    const all = lines!.trimEnd().split('\n');
    const reads = all.filter((line) => isRead(line) && (hasPyarrow || !line.includes('parquet')));
    const script = [
      ...all.filter((line) => !isRead(line)),
      'def show(frame):',
      '    texts = frame[["event_name", "session_id", "player_id"]].astype(object)',
      '    times = frame["client_timestamp"].map(lambda at: "" if pd.isna(at) else at.isoformat(timespec="milliseconds"))',
      '    print(texts.where(texts.notna(), None).assign(at=times).to_json(orient="records"))',
      ...reads.map((line) => `show(${line})`),
    ].join('\n');
    // The documentation says that `read_json` refuses this integer.
    const ndjson = await readFile(join(project, 'events.ndjson'), 'utf8');
    await writeFile(
      join(project, 'events.ndjson'),
      ndjson.replace('123456789012345678901234567890', '1'),
    );
    const { stdout } = await run('python3', ['-c', script], { cwd: project });
    const shown = stdout.trimEnd().split('\n');
    assert.equal(shown.length, reads.length);
    for (const each of shown) {
      assert.deepEqual(JSON.parse(each), [
        {
          event_name: 'first',
          session_id: '007',
          player_id: '0042',
          at: '2026-01-31T12:00:00.123+00:00',
        },
        { event_name: 'two\r\nlines, "quoted"', session_id: 's', player_id: null, at: '' },
        { event_name: 'long', session_id: 'null', player_id: 'NULL', at: '' },
      ]);
    }
  },
);
