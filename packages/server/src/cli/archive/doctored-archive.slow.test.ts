import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { TableLine } from '../../features/backups/archive/format.ts';
import { readAll } from './test/whole-database.ts';

type Line = Record<string, unknown> | unknown[] | string | number | null;

const GAME = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const OTHER = '550e8400-e29b-41d4-a716-446655440000';
const ACCOUNT = '3f333df6-90a4-4fda-8dd3-9485d27cee36';

let folder: string;
let url: string;
let drop: () => Promise<void>;
/** The lines of the archive of a game with one player. */
let lines: Line[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-doctored-'));
  ({ url, drop } = await cloneDatabase());
  const database = openTestDatabase({ url }, { application_name: 'test', max_connections: 1 });
  await database.execute(sql`
    INSERT INTO accounts (id, email, password_hash, status)
    VALUES (${ACCOUNT}, 'stranger@studio.example', 'none', 'active')`);
  for (const id of [GAME, OTHER]) {
    await database.execute(sql`
      INSERT INTO games (id, name, time_zone) VALUES (${id}, 'Game', 'UTC')`);
    await database.learnGames([id]);
    await database.ofGame(id).execute(sql`
      INSERT INTO players (game_id, environment, player_id, first_seen_at, last_seen_at)
      VALUES (${id}, 'production', 'player', now(), now())`);
  }
  await database.close();
  const file = join(folder, 'game.ndjson');
  const { code, stderr } = await callCli(['export-game', GAME, file], { DATABASE_URL: url });
  assert.equal(code, 0, stderr);
  const text = await readFile(file, 'utf8');
  lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
});
after(async () => {
  await drop();
  await rm(folder, { recursive: true, force: true });
});

async function importLines(changed: readonly Line[], args = ['--new-id']) {
  const file = join(folder, 'changed.ndjson');
  await writeFile(file, changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return callCli(['import-game', file, ...args], { DATABASE_URL: url });
}

const isTable = (line: Line, name: string): boolean =>
  line !== null && typeof line === 'object' && !Array.isArray(line) && line.table === name;

/** Adds lines before the last one, which says that the archive is complete. */
const withLines = (...added: Line[]): Line[] => [...lines.slice(0, -1), ...added, lines.at(-1)!];

/** Changes the line of a table, and the row after it. */
function withTable(name: string, change: (table: TableLine, row: unknown[]) => void): Line[] {
  const changed = structuredClone(lines);
  const at = changed.findIndex((line) => isTable(line, name));
  assert.ok(Array.isArray(changed[at + 1]), name);
  change(changed[at] as unknown as TableLine, changed[at + 1] as unknown[]);
  return changed;
}

const setValue =
  (column: string, value: unknown) =>
  ({ columns }: TableLine, row: unknown[]): void => {
    assert.ok(columns.includes(column), column);
    row[columns.indexOf(column)] = value;
  };

/** A table with one row. Its values are texts in PostgreSQL's notation. */
const rowsOf = (table: string, row: Record<string, unknown>): Line[] => [
  { table, columns: Object.keys(row), partitions: [] },
  Object.values(row),
];

const withoutGames = (): Line[] => {
  const at = lines.findIndex((line) => isTable(line, 'games'));
  return lines.toSpliced(at, 2);
};

const foreign: Record<string, () => Line[]> = {
  accounts: () =>
    rowsOf('accounts', { email: 'a@b.example', password_hash: 'x', is_administrator: 'true' }),
  account_sessions: () => rowsOf('account_sessions', { account_id: ACCOUNT }),
  game_members: () =>
    rowsOf('game_members', { game_id: OTHER, account_id: ACCOUNT, role: 'owner' }),
  api_keys: () => rowsOf('api_keys', { game_id: OTHER, name: 'Key', prefix: 'x', key_hash: 'x' }),
  audit_log: () => rowsOf('audit_log', { game_id: GAME, action: 'x', target: 'x', details: '{}' }),
  installation: () => rowsOf('installation', { name: 'jwt_secret', value: 'known' }),
  migrations: () => rowsOf('migrations', { name: '9999_next.sql' }),
  game_storage: () => rowsOf('game_storage', { game_id: GAME, resource: 'players', used: '-9' }),
  pg_authid: () => rowsOf('pg_authid', { rolname: 'root' }),
};

const refused: Record<string, [lines: () => Line[], words: RegExp]> = {
  'a column that names a member of the staff': [
    () => withLines(...rowsOf('config_versions', { game_id: GAME, created_by: 'me' })),
    /config_versions: the archive may have no column created_by/,
  ],
  'the group of the game': [
    () =>
      withTable('games', ({ columns }, row) => {
        columns.push('tenant_group');
        row.push('7');
      }),
    /games: the archive may have no column tenant_group/,
  ],
  'a column twice': [
    () =>
      withTable('games', ({ columns }, row) => {
        columns.push('name');
        row.push('Twice');
      }),
    /is damaged: line 2|is damaged: line \d+/,
  ],
  'rows that name no game': [
    () => withLines(...rowsOf('players', { environment: 'production', player_id: 'p' })),
    /players: its rows name no game/,
  ],
  'no row of the game': [withoutGames, /no row of the game/],
  'a second game': [
    () => withLines(...rowsOf('games', { id: OTHER, name: 'Second', time_zone: 'UTC' })),
    /PostgreSQL refuses a row of the table games/,
  ],
  'a row with too few values': [
    () => withTable('players', (_table, row) => row.pop()),
    /players: a row has \d+ values for \d+ columns/,
  ],
  'a row before the first table': [
    () => [lines[0]!, ['x'], ...lines.slice(1)],
    /a row before the first table/,
  ],
  'a value that is a number': [
    () => withTable('players', (_table, row) => (row[2] = 5)),
    /line \d/,
  ],
  'a second header': [() => withLines(lines[0]!), /line \d+ is neither a table nor a row/],
  'a line of another kind': [() => withLines({ drop: 'players' }), /line \d+/],
  'a line with a number': [() => withLines(7), /line \d+/],
  'a line with null': [() => withLines(null), /line \d+/],
  'no value where there must be one': [
    () => withTable('games', setValue('name', null)),
    /PostgreSQL refuses a row of the table games/,
  ],
  'a tier that does not exist': [
    () => withTable('games', setValue('tier', 'endless')),
    /PostgreSQL refuses a row of the table games/,
  ],
  'a time zone that does not exist': [
    () => withTable('games', setValue('time_zone', 'Moon/Base')),
    /time_zone must be an IANA time zone/,
  ],
  'a text with a NUL character': [
    () => withTable('players', setValue('player_id', 'a\0b')),
    /PostgreSQL refuses a row of the table players/,
  ],
  'a text that is too long for an index': [
    () =>
      withTable(
        'players',
        setValue('player_id', Array.from({ length: 9_000 }, (_, at) => at * 7_919).join('')),
      ),
    /PostgreSQL refuses a row of the table players/,
  ],
  'properties with a string that cannot be stored': [
    () => withTable('players', setValue('properties', '{"a":"\\ud800"}')),
    /players: properties\.a must not contain lone surrogates/,
  ],
  'properties that are no object': [
    () => withTable('players', setValue('properties', '[1]')),
    /players: properties is not a JSON object/,
  ],
  'a time without an end': [
    () => withTable('players', setValue('last_seen_at', 'infinity')),
    /players: last_seen_at is not a time of the years 0 to 9999/,
  ],
  'a time before Christ': [
    () => withTable('players', setValue('first_seen_at', '2026-01-01 00:00:00+00 BC')),
    /players: first_seen_at is not a time/,
  ],
  'a line that never ends': [
    () => withTable('players', setValue('player_id', 'x'.repeat(65 * 1024 * 1024))),
    /a line of it is too long for a row/,
  ],
  'a save that is not JSON': [
    () =>
      withLines(
        ...rowsOf('save_versions', {
          game_id: GAME,
          environment: 'production',
          player_id: 'player',
          place: '1',
          version: '1',
          data: '{',
          saved_at: '2026-01-01',
        }),
      ),
    /save_versions: data is not valid JSON/,
  ],
  'a score that is not a number': [
    () =>
      withLines(...rowsOf('leaderboards', { game_id: GAME, board_name: 'b', max_score: 'NaN' })),
    /leaderboards: max_score is not a finite number/,
  ],
  'a partition that no server makes': [
    () =>
      withTable('players', (table) => {
        table.partitions.push({ name: 'events_from_a_stranger' });
      }),
    /players has no partition/,
  ],
  'an id that is no UUID': [
    () => [{ ...(lines[0] as object), game_id: `' OR true --` }, ...lines.slice(1)],
    /not an archive/,
  ],
};

describe('import of a changed archive', () => {
  test('a file that carries tables or columns that are not of a game stops, and changes nothing', async () => {
    const contents = await readAll(url);
    for (const [name, added] of Object.entries(foreign)) {
      const { code, stderr } = await importLines(withLines(...added()));
      assert.equal(code, 1, name);
      assert.match(stderr, new RegExp(`it may have no table ${name}\\.\\n$`), name);
    }
    for (const [name, [changed, words]] of Object.entries(refused)) {
      const { code, stderr } = await importLines(changed());
      assert.equal(code, 1, name);
      assert.match(stderr, words, name);
      assert.doesNotMatch(stderr, /\n\s+at /, `${name}: ${stderr}`);
    }
    assert.deepEqual(await readAll(url), contents);
  });

  test('each row gets the id of the imported game instead of the id that it carries', async () => {
    const before_import = await readAll(url);
    const changed = withTable('players', setValue('game_id', OTHER));
    changed.splice(
      -1,
      0,
      ...rowsOf('players', { game_id: OTHER, environment: 'production', player_id: 'added' }),
    );
    const { code, stderr } = await importLines(changed);
    assert.equal(code, 0, stderr);
    const copy = /Imported game ([0-9a-f-]{36})/.exec(stderr)![1]!;
    const { players } = await readAll(url);
    const isOf = (id: string) => (row: string) => row.includes(id);
    assert.equal(players!.filter(isOf(copy)).length, 2);
    assert.deepEqual(players!.filter(isOf(OTHER)), before_import.players!.filter(isOf(OTHER)));
  });
});

test('restore refuses a changed backup in a sentence, and loads none of its rows', async () => {
  const file = join(folder, 'backup.ndjson');
  await callCli(['backup', file, '--with-secrets'], { DATABASE_URL: url });
  const text = await readFile(file, 'utf8');
  const target = await cloneDatabase();
  const empty = await readAll(target.url);
  const cases: [RegExp, string][] = [
    [/it may have no table pg_authid/, text.replace('"table":"games"', '"table":"pg_authid"')],
    [/may have no column named/, text.replace(/("table":"games".*?)"name"/, '$1"named"')],
    [/PostgreSQL refuses a row of the table games/, text.replace('"UTC"', 'null')],
    [/line \d+ is neither/, text.replace('"table":"games"', '"tables":"games"')],
    [/not an archive/, text.replace(/"migration":"[^"]*"/, '"migration":7')],
    [/not an archive/, text.replace('{', '{"groups":1e9,').replace(/,"groups":\d+/, '')],
  ];
  for (const [words, changed] of cases) {
    await writeFile(file, changed);
    const { code, stderr } = await callCli(['restore', file], { DATABASE_URL: target.url });
    assert.equal(code, 1);
    assert.match(stderr, words);
    assert.doesNotMatch(stderr, /\n\s+at /, stderr);
    assert.deepEqual(await readAll(target.url), empty);
  }
  await target.drop();
});
