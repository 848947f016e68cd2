import { shorten } from '../../platform/json/json-text.ts';
import { INSTALLATION_TABLES } from '../../platform/database/installation-tables.ts';
import { CommandError } from '../command.ts';
import { encodeRow } from './copy-rows.ts';
import type { ArchiveRow, TableLine } from '../../features/backups/archive/format.ts';
import type { GamePlaces } from './game-places.ts';
import type { Column, Table } from '../../features/backups/archive/table-catalog.ts';
import { findValueCheck } from './value-checks.ts';

export interface LoadedTable {
  /** The COPY statement that loads the rows. */
  statement: string;
  /** @returns the group of the row, and the row in the format of COPY. */
  readRow(row: ArchiveRow): { group: number; text: string };
}

interface ReadOptions {
  /** The columns that the archive may have. */
  allowed: readonly Column[];
  places: GamePlaces;
  /** The id that the game gets; undefined if games keep their ids. */
  game_id: string | undefined;
  /** A column that PostgreSQL fills, so it is not loaded. */
  left_out: string | null;
  /** Called with each row, as it is in the archive. */
  onRow: ((row: ArchiveRow) => void) | null;
}

/**
 * Makes the COPY statement for a table, and the function that prepares the rows of an archive for it.
 * @throws CommandError for columns that are not allowed.
 */
export function readTable(
  table: Table,
  { columns, group: archived_group = 0 }: TableLine,
  { allowed, places, game_id, left_out, onRow }: ReadOptions,
): LoadedTable {
  for (const name of columns) {
    if (allowed.some((column) => column.name === name)) continue;
    throw refuse(table, `the archive may have no column ${shorten(name)} of it`);
  }
  const is_of_group = !INSTALLATION_TABLES.includes(table.name);
  const game_at = columns.indexOf(table.name === 'games' ? 'id' : 'game_id');
  if (game_at === -1 && game_id !== undefined) throw refuse(table, 'its rows name no game');
  const group_at = columns.indexOf('tenant_group');
  const left_out_at = left_out === null ? -1 : columns.indexOf(left_out);
  // The values of a whole installation are from a database of this release, and are not checked.
  const checks = game_id === undefined ? [] : listChecks(table, columns);
  const list = columns.filter((_name, at) => at !== left_out_at).map((name) => `"${name}"`);
  return {
    statement: `COPY "${table.name}" (${list.join(', ')}) FROM STDIN`,
    readRow(row) {
      if (row.length !== columns.length) {
        throw refuse(table, `a row has ${row.length} values for ${columns.length} columns`);
      }
      for (const [at, check] of checks) {
        const value = row[at]!;
        if (value === null) continue;
        try {
          check(value);
        } catch (error) {
          throw refuse(table, (error as Error).message);
        }
      }
      onRow?.(row);
      const group = is_of_group ? places.groupOf(row[game_at]!, archived_group) : 0;
      if (group_at !== -1) {
        row[group_at] = String(places.groupOf(row[game_at]!, Number(row[group_at])));
      }
      if (game_id !== undefined) row[game_at] = game_id;
      if (left_out_at !== -1) row.splice(left_out_at, 1);
      return { group, text: encodeRow(row) };
    },
  };
}

type Check = [at: number, check: (text: string) => void];

function listChecks(table: Table, columns: readonly string[]): Check[] {
  return table.columns.flatMap((column) => {
    const at = columns.indexOf(column.name);
    const check = at === -1 ? null : findValueCheck(column);
    return check === null ? [] : [[at, check] satisfies Check];
  });
}

const refuse = ({ name }: Table, problem: string) =>
  new CommandError(`The archive cannot be loaded, in the table ${name}: ${problem}.`);
