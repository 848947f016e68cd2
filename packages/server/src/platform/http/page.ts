import { MAX_COUNTED } from '@overworld/contract/list-total';
import type { ListTotal } from '@overworld/contract/list-total';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { isTimestampText } from '../database/timestamp.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { isUuid } from './validation.ts';

/**
 * Makes a page of rows that were read with `LIMIT limit + 1`: the extra row says that there are more.
 * @param keyOf The sort key of a row, for the cursor.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly string[],
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  return { page, next_cursor: rows.length > limit ? encodeCursor(keyOf(page.at(-1)!)) : null };
}

/** A row's place in a list ordered by creation time, then id. */
export interface PagePosition {
  /** `created_at::text`, in microseconds; timestamps of answers are in milliseconds. */
  created: string;
  id: string;
}

/** The rows of such a list to read. */
export interface PageRange {
  /** The row after which the page begins; null for the first page. */
  after: PagePosition | null;
  count: number;
}

/** The part of a query that chooses the page of a list. */
export interface PageQuery {
  cursor?: string;
  limit: number;
  with_total?: boolean;
}

/**
 * Reads a page of a list ordered by creation time, then id. With `with_total` also counts the list.
 * @param list Reads by the given connection; see `countRows`.
 * @throws ApiError 400 when the cursor was not made by such a list.
 */
export async function readPage<Row extends PagePosition>(
  database: Queryable,
  query: PageQuery,
  list: (database: Queryable, range: PageRange) => Promise<Row[]>,
): Promise<{ page: Omit<Row, 'created'>[]; next_cursor: string | null; total?: ListTotal }> {
  const { cursor, limit } = query;
  const rows = await list(database, { after: readPosition(cursor), count: limit + 1 });
  const cut = cutPage(rows, limit, ({ created, id }) => [created, id]);
  return {
    page: cut.page.map(({ created: _created, ...row }) => row),
    next_cursor: cut.next_cursor,
    ...(await readTotal(query, cut, () =>
      countRows(database, (from, count) => list(from, { after: null, count })),
    )),
  };
}

/**
 * The `total` of a page, for its answer; nothing if the query does not ask for it. A list of one page
 * is not counted again.
 */
export async function readTotal(
  { with_total = false, cursor }: PageQuery,
  { page, next_cursor }: { page: readonly unknown[]; next_cursor: string | null },
  count: () => Promise<ListTotal>,
): Promise<{ total?: ListTotal }> {
  if (!with_total) return {};
  const isWhole = cursor === undefined && next_cursor === null;
  return { total: isWhole ? { count: page.length, is_exact: true } : await count() };
}

/**
 * Counts the entries of a list, up to `max`.
 * @param list Reads up to `count` entries from the beginning of the list, in one statement. It gets a
 * connection that only counts the rows, so that each list is stated once.
 */
export async function countRows(
  database: Queryable,
  list: (from: Queryable, count: number) => Promise<unknown>,
  max = MAX_COUNTED,
): Promise<ListTotal> {
  let counted = 0;
  const from: Queryable = {
    is_spread: database.is_spread,
    async query(statement) {
      const rows = sql`SELECT count(*) FROM (${statement}) AS listed`;
      counted = (await database.queryOne<{ count: number }>(rows))!.count;
      return [];
    },
    queryOne: (statement) => database.queryOne(statement),
    execute: (statement) => database.execute(statement),
  };
  await list(from, max + 1);
  return { count: Math.min(counted, max), is_exact: counted <= max };
}

function readPosition(cursor: string | undefined): PagePosition | null {
  const key = decodeCursor(
    cursor,
    ([created = '', id = '', ...rest]) =>
      rest.length === 0 && isTimestampText(created) && isUuid(id),
  );
  return key && { created: key[0]!, id: key[1]! };
}

/**
 * SQL, true for rows that come after a position.
 * @param columns Creation time and id.
 */
export function isAfter(
  columns: Sql,
  order: 'oldest_first' | 'newest_first',
  after: PagePosition | null,
): Sql {
  if (after === null) return sql`true`;
  const comparison = order === 'oldest_first' ? sql`>` : sql`<`;
  return sql`(${columns}) ${comparison} (${after.created}::timestamptz, ${after.id}::uuid)`;
}
