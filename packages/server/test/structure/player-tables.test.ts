import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { ClaimedPlayers } from '../../src/platform/players/claimed-players.ts';
import { unlockSource } from '../../src/features/achievements/unlock-store.ts';
import { createActivitySource } from '../../src/features/reports/rollups/player-data.ts';
import { EVENT_SOURCES } from '../../src/features/events/player-data.ts';
import { exposureSource } from '../../src/features/experiments/exposures/exposure-store.ts';
import { SCORE_SOURCES } from '../../src/features/leaderboards/player-data.ts';
import { messageSource } from '../../src/features/messages/player-data.ts';
import { createLoginSource } from '../../src/features/player-logins/player-data.ts';
import { gameChangeSource } from '../../src/features/players/game-changes/player-data.ts';
import { JOINED_COLUMNS } from '../../src/features/players/merges/merge-store.ts';
import { mergeSource } from '../../src/features/players/merges/player-data.ts';
import { createSaveSource } from '../../src/features/saves/versions/version-store.ts';
import { statSource } from '../../src/features/stats/player-data.ts';
import { webhookSource } from '../../src/features/webhooks/player-data.ts';

/** Tables with the column `player_id` that no source declares. */
const OTHERS: Readonly<Record<string, string>> = {
  players: 'the players feature merges and deletes the row between two rounds over all sources',
  player_names: 'the search by name follows the row of the player',
  player_name_changes: 'the search by name follows the row of the player',
  player_name_builds: 'has the progress of the search by name',
};

/** Columns of the table of players that a merge leaves out, with the reasons. */
const UNMERGED: Readonly<Record<string, string>> = {
  change_count: 'the changes by the game set it when they move',
};

const PLAYER_KEY = ['game_id', 'environment', 'player_id'];

/** The columns of each table that has the column `player_id`. */
async function listPlayerTables(): Promise<Map<string, string[]>> {
  const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)^\)/gm)].map(
    ([, name, lines]): [string, string[]] => [
      name!,
      [...lines!.matchAll(/^ {2}(?!CONSTRAINT)(\w+) /gm)].map(([, column]) => column!),
    ],
  );
  return new Map(tables.filter(([, columns]) => columns.includes('player_id')));
}

const lock = async () => undefined;
const declared = [
  createSaveSource(0),
  statSource,
  unlockSource,
  createActivitySource(lock, lock),
  ...EVENT_SOURCES,
  ...SCORE_SOURCES,
  createLoginSource({} as ClaimedPlayers),
  messageSource,
  webhookSource,
  exposureSource,
  gameChangeSource,
  mergeSource,
].flatMap(({ tables }) => tables);

test('one source declares each table with data of players', async () => {
  const tables = await listPlayerTables();
  assert.ok(tables.size > 15);
  assert.deepEqual(
    [...declared.map(({ table }) => table), ...Object.keys(OTHERS)].toSorted(),
    [...tables.keys()].toSorted(),
    'a new table is declared by the source of its feature (platform/players/player-data-source.ts)',
  );
});

test('a rule that joins rows of two players names each column of the table', async () => {
  const tables = await listPlayerTables();
  const joined = declared.filter(({ merge }) => typeof merge === 'object');
  assert.ok(joined.length > 0);
  for (const { table, merge } of joined) {
    assert.ok(typeof merge === 'object');
    const named = [...PLAYER_KEY, ...merge.key, ...Object.keys(merge.columns)];
    assert.deepEqual(named.toSorted(), tables.get(table)!.toSorted(), table);
  }
});

test('a merge joins each column of the table of players, or leaves it out for a reason', async () => {
  const tables = await listPlayerTables();
  const named = [...PLAYER_KEY, ...Object.keys(JOINED_COLUMNS), ...Object.keys(UNMERGED)];
  assert.deepEqual(
    named.toSorted(),
    tables.get('players')!.toSorted(),
    'a new column is named in JOINED_COLUMNS of features/players/merges/merge-store.ts',
  );
});
