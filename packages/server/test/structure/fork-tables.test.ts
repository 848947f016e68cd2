import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { REPLACED_COLUMNS } from '../../src/cli/fork/fork-players.ts';
import {
  DEFINITION_TABLES,
  KEPT_TEXTS,
  LEFT_OUT_COLUMNS,
  LEFT_OUT_TABLES,
  PLAYER_TABLES,
} from '../../src/cli/fork/fork-tables.ts';
import {
  DAY_COLUMNS,
  KEPT_NUMBERS,
  KEPT_TIMES,
  KEYED_BY_TIME,
  MOVED_NUMBERS,
  MOVED_TIMES,
} from '../../src/cli/fork/moved-times.ts';

/** The tables with rows of games, and their columns with the types. */
async function listGameTables(): Promise<Map<string, Map<string, string>>> {
  const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)^\)/gm)].map(
    ([, name, lines]): [string, Map<string, string>] => [
      name!,
      new Map(
        [...lines!.matchAll(/^ {2}(?!CONSTRAINT)"?(\w+)"? (\w+)/gm)].map(
          ([, column, type]): [string, string] => [column!, type!],
        ),
      ),
    ],
  );
  return new Map(tables.filter(([name, columns]) => name === 'games' || columns.has('game_id')));
}

test('each table of games is taken over by a fork, or left out for a reason', async () => {
  const tables = await listGameTables();
  assert.ok(tables.size > 50);
  assert.deepEqual(
    [...DEFINITION_TABLES, ...PLAYER_TABLES, ...Object.keys(LEFT_OUT_TABLES)].toSorted(),
    [...tables.keys()].toSorted(),
    'a new table is named in cli/fork/fork-tables.ts',
  );
});

test('a fork leaves out each definition that would name players', async () => {
  const tables = await listGameTables();
  for (const name of DEFINITION_TABLES) assert.ok(!tables.get(name)!.has('player_id'), name);
});

test('a fork replaces each text about a player, leaves it out, or keeps it for a reason', async () => {
  const tables = await listGameTables();
  const known: string[] = [...REPLACED_COLUMNS, ...Object.keys(KEPT_TEXTS)];
  const found = PLAYER_TABLES.flatMap((table) =>
    [...tables.get(table)!]
      .filter(([, type]) => ['text', 'json', 'jsonb', 'bytea'].includes(type))
      .map(([column]) => [table, column] as const),
  );
  const unknown = found.filter(
    ([table, column]) => !known.includes(column) && !LEFT_OUT_COLUMNS[table]?.includes(column),
  );
  assert.deepEqual(unknown, [], 'see KEPT_TEXTS and LEFT_OUT_COLUMNS in cli/fork/fork-tables.ts');
  assert.deepEqual(new Set(found.map(([, column]) => column)), new Set(known));
});

test('overworld advance moves each time of a game back, or keeps it for a reason', async () => {
  const tables = await listGameTables();
  const found = [...tables].flatMap(([table, columns]) =>
    [...columns]
      .filter(([, type]) => type === 'timestamp' || type === 'date')
      .map(([column]) => [table, column] as const),
  );
  assert.ok(found.length > 100);
  const isKept = (table: string, column: string) =>
    table in KEPT_TIMES || `${table}.${column}` in KEPT_TIMES;
  for (const [table, column] of found) {
    const is_moved = MOVED_TIMES[table]?.includes(column) === true;
    assert.notEqual(
      is_moved,
      isKept(table, column),
      `${table}.${column} must be in MOVED_TIMES or KEPT_TIMES of cli/fork/moved-times.ts`,
    );
    if (is_moved) {
      assert.equal(DAY_COLUMNS.has(column), tables.get(table)!.get(column) === 'date', column);
    }
  }
  const named = Object.entries(MOVED_TIMES).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  );
  const known = found.map(([table, column]) => `${table}.${column}`);
  assert.deepEqual(
    named.filter((name) => !known.includes(name)),
    [],
  );
});

test('overworld advance moves each number that is a time back, or keeps it for a reason', async () => {
  const tables = await listGameTables();
  const found = [...tables].flatMap(([table, columns]) =>
    [...columns]
      .filter(([column, type]) => type === 'bigint' && /(^|_)(ms|us|at|version)$/.test(column))
      .map(([column]) => `${table}.${column}`),
  );
  const moved = Object.entries(MOVED_NUMBERS).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  assert.ok(moved.length > 0);
  assert.deepEqual(
    [...moved, ...Object.keys(KEPT_NUMBERS)].toSorted(),
    found.toSorted(),
    'a new time is named in MOVED_NUMBERS or KEPT_NUMBERS of cli/fork/moved-times.ts',
  );
  // The columns of a table move in one statement.
  for (const table of Object.keys(MOVED_NUMBERS)) assert.ok(table in MOVED_TIMES, table);
});

test('a table whose primary key has a moved time is moved in two steps', async () => {
  const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8');
  const keys = [...schema.matchAll(/CONSTRAINT (\w+)_pkey PRIMARY KEY \((.*)\)/g)];
  const keyed = keys
    .filter(([, table, key]) =>
      key!
        .split(', ')
        .some(
          (column) =>
            MOVED_TIMES[table!]?.includes(column) === true ||
            MOVED_NUMBERS[table!]?.[column] !== undefined,
        ),
    )
    .map(([, table]) => table!);
  // An event has an id of its own besides.
  assert.deepEqual(keyed.toSorted(), [...KEYED_BY_TIME, 'events'].toSorted());
});
