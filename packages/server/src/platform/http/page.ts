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

/**
 * Reads a page of a list ordered by creation time, then id.
 * @throws ApiError 400 when the cursor was not made by such a list.
 */
export async function readPage<Row extends PagePosition>(
  { cursor, limit }: { cursor?: string; limit: number },
  list: (range: PageRange) => Promise<Row[]>,
): Promise<{ page: Omit<Row, 'created'>[]; next_cursor: string | null }> {
  const rows = await list({ after: readPosition(cursor), count: limit + 1 });
  const { page, next_cursor } = cutPage(rows, limit, ({ created, id }) => [created, id]);
  return { page: page.map(({ created: _created, ...row }) => row), next_cursor };
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
