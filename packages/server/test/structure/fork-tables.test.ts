import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  DEFINITION_TABLES,
  LEFT_OUT_TABLES,
  PLAYER_TABLES,
} from '../../src/cli/fork/fork-tables.ts';

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
  );
});

test('a fork leaves out each definition that would name players', async () => {
  const tables = await listGameTables();
  for (const name of DEFINITION_TABLES) assert.ok(!tables.get(name)!.has('player_id'), name);
});
