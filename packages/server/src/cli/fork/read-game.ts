import type pg from 'pg';
import type { ArchiveLine, ArchiveRow } from '../../features/backups/archive/format.ts';
import type { Moment } from '../../features/backups/archive/moment.ts';
import { hasColumn } from '../../features/backups/archive/table-catalog.ts';
import type { Table } from '../../features/backups/archive/table-catalog.ts';
import { visitTables } from '../../features/backups/archive/visit-tables.ts';
import { restAfter } from '../../platform/rest.ts';
import type { createReplacer } from './fork-players.ts';
import { DEFINITION_TABLES, forkedColumns, PLAYER_TABLES } from './fork-tables.ts';

const ROWS_PER_FETCH = 500;
const SHARE_STEPS = 2 ** 31;

/** The players that a fork takes over. */
export interface ChosenPlayers {
  /** More than 0, at most 1. */
  share: number;
  /** The same seed chooses the same players. */
  seed: number;
  replacer: ReturnType<typeof createReplacer>;
}

interface ForkedGame {
  game_id: string;
  groups: readonly number[];
  /** Null: no data of players. */
  players: ChosenPlayers | null;
}

/** Reads the rows of a fork, as an archive has them. Rests between reads, so that servers have the database. */
export async function* readGame(moment: Moment, game: ForkedGame): AsyncGenerator<ArchiveLine> {
  const tables = [...DEFINITION_TABLES, ...(game.players === null ? [] : PLAYER_TABLES)];
  for await (const { client, table } of visitTables(moment, game.groups)) {
    if (!tables.includes(table.name)) continue;
    const columns = forkedColumns(table, game.game_id).map(({ name }) => name);
    yield { table: table.name, columns, partitions: table.partitions };
    const changeRow = game.players?.replacer.forTable(columns);
    const begun = performance.now();
    await client.query(declare(table, columns, game));
    await restAfter(performance.now() - begun);
    for await (const row of fetchRows(client)) {
      changeRow?.(row);
      yield row;
    }
    await client.query('CLOSE forked');
  }
}

async function* fetchRows(client: pg.ClientBase): AsyncGenerator<ArchiveRow> {
  for (;;) {
    const begun = performance.now();
    const { rows } = await client.query<ArchiveRow>({
      text: `FETCH ${ROWS_PER_FETCH} FROM forked`,
      rowMode: 'array',
    });
    yield* rows;
    if (rows.length < ROWS_PER_FETCH) return;
    await restAfter(performance.now() - begun);
  }
}

/** The values of columns that a fork has otherwise, as SQL. */
const CHANGED_VALUES: Readonly<Record<string, string>> = {
  'alerts.account_ids': "'{}'",
  'alerts.webhook_ids': "'{}'",
  'games.forked_from': 'id',
};

function declare(
  table: Table,
  columns: readonly string[],
  { game_id, players }: ForkedGame,
): string {
  const values = columns.map(
    (name) => `(${CHANGED_VALUES[`${table.name}.${name}`] ?? `"${name}"`})::text`,
  );
  // The id and the numbers become part of the text, which is safe: the command has checked them.
  const conditions = [`${table.name === 'games' ? 'id' : 'game_id'} = '${game_id}'`];
  if (players !== null && hasColumn(table, 'player_id')) {
    const most = Math.ceil(players.share * SHARE_STEPS);
    const place = `hashtextextended(player_id, ${players.seed}) & ${SHARE_STEPS - 1}`;
    conditions.push(`(${place}) < ${most}`);
  }
  return `DECLARE forked CURSOR FOR
    SELECT ${values.join(', ')} FROM "${table.name}" WHERE ${conditions.join(' AND ')}`;
}
