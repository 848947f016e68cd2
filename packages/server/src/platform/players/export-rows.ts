import type { Database } from '../database/database.ts';
import { joinSql, names, sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { isOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

/** The rows of a player in one table, or in several tables that are joined. */
interface ExportedRows<Row> {
  columns: Sql;
  from: Sql;
  /** A condition on the rows; absent for all rows. */
  where?: Sql;
  /**
   * The columns by which the rows are sorted. No two rows may have the same values. If a player may have many
   * rows, an index must have this order.
   */
  order: readonly string[];
  /** The number of rows in a page, 1,000 unless rows may be large. */
  page_rows?: number;
  /** Makes the exported form of a row; absent if that is the row itself. */
  toExported?: (row: Row) => unknown;
}

/** Makes the function that exports rows page by page, for `PlayerDataSource`. */
export function exportRows<Row extends object>(rows: ExportedRows<Row>) {
  const { columns, from, where = sql`true`, order, page_rows = 1_000, toExported } = rows;
  // Texts, because they have all digits of a time, and in one text, because only the last row's is parsed. No
  // table has a column of this name, which ORDER BY would then take for the text.
  const texts = names(order.map((column) => `${column}::text`));
  const keyset = sql`json_build_array(${texts})::text AS keyset`;
  return async function* (database: Database, player: PlayerKey): AsyncGenerator<unknown[]> {
    const pages = readPages<Row & { keyset: string }>(page_rows, (last) =>
      database.query(sql`
        SELECT ${columns}, ${keyset} FROM ${from}
        WHERE ${isOfPlayer(player)} AND ${where} AND ${last ? isAfter(order, last.keyset) : sql`true`}
        ORDER BY ${names(order)}
        LIMIT ${page_rows}`),
    );
    for await (const page of pages) {
      const found = page.map(({ keyset: _keyset, ...row }) => row as unknown as Row);
      yield toExported === undefined ? found : found.map(toExported);
    }
  };
}

/** SQL that is true for rows after a place in an order. */
function isAfter(order: readonly string[], keyset: string): Sql {
  const values = (JSON.parse(keyset) as string[]).map((value) => sql`${value}`);
  return sql`(${names(order)}) > (${joinSql(values, ', ')})`;
}

/**
 * Reads rows page by page, so that only one page is in memory.
 * @param size The number of rows in a full page.
 * @param read Reads a page with the rows after `last`; null stands for the beginning.
 */
export async function* readPages<Row>(
  size: number,
  read: (last: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows: Row[];
  let last: Row | null = null;
  do {
    rows = await read(last);
    yield rows;
    last = rows.at(-1) ?? null;
  } while (rows.length === size);
}
