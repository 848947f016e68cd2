import { INSTALLATION_TABLES } from '../../platform/database/installation-tables.ts';
import { encodeRow } from './copy-rows.ts';
import type { ArchiveRow, TableLine } from './format.ts';
import type { GamePlaces } from './game-places.ts';
import type { Table } from './table-catalog.ts';

export interface LoadedTable {
  /** The COPY statement that loads the rows. */
  statement: string;
  /** @returns the group of the row, and the row in the format of COPY. */
  readRow(row: ArchiveRow): { group: number; text: string };
}

interface ReadOptions {
  places: GamePlaces;
  /** The id that the game gets; undefined if games keep their ids. */
  game_id: string | undefined;
  /** A column that PostgreSQL fills, so it is not loaded. */
  left_out: string | null;
  /** Called with each row, as it is in the archive. */
  onRow: ((row: ArchiveRow) => void) | null;
}

/** Makes the COPY statement for a table, and the function that prepares the rows of an archive for it. */
export function readTable(
  table: Table,
  { columns, group: archived_group = 0 }: TableLine,
  { places, game_id, left_out, onRow }: ReadOptions,
): LoadedTable {
  for (const name of columns) {
    if (table.columns.some((column) => column.name === name)) continue;
    throw new Error(`Table ${table.name} has no column ${name}`);
  }
  // The number becomes part of a schema name in SQL.
  if (!Number.isSafeInteger(archived_group)) throw new Error(`Not a group: ${archived_group}`);
  const is_of_group = !INSTALLATION_TABLES.includes(table.name);
  const game_at = columns.indexOf(table.name === 'games' ? 'id' : 'game_id');
  const group_at = columns.indexOf('tenant_group');
  const left_out_at = left_out === null ? -1 : columns.indexOf(left_out);
  const list = columns.filter((_name, at) => at !== left_out_at).map((name) => `"${name}"`);
  return {
    statement: `COPY "${table.name}" (${list.join(', ')}) FROM STDIN`,
    readRow(row) {
      onRow?.(row);
      const group = is_of_group ? places.groupOf(row[game_at]!, archived_group) : 0;
      if (group_at !== -1) {
        row[group_at] = String(places.groupOf(row[game_at]!, Number(row[group_at])));
      }
      if (game_id !== undefined && game_at !== -1) row[game_at] = game_id;
      if (left_out_at !== -1) row.splice(left_out_at, 1);
      return { group, text: encodeRow(row) };
    },
  };
}
