import { isTimestampText } from '../database/timestamp.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { isUuid } from './validation.ts';

/** A row's place in a list ordered by creation time, then id. */
export interface PagePosition {
  /** `created_at::text`: in microseconds, which an answer's timestamp has not. */
  created: string;
  id: string;
}

/**
 * The row after which a page begins; null for the first page.
 * @throws ApiError 400 when the cursor was not made by such a list.
 */
export function readPosition(cursor: string | undefined): PagePosition | null {
  const key = decodeCursor(
    cursor,
    ([created = '', id = '', ...rest]) =>
      rest.length === 0 && isTimestampText(created) && isUuid(id),
  );
  return key && { created: key[0]!, id: key[1]! };
}

/**
 * Makes a page of rows that were read with `LIMIT limit + 1`: the one too many says that there are
 * more.
 */
export function cutPage<Row extends PagePosition>(
  rows: readonly Row[],
  limit: number,
): { page: Omit<Row, 'created'>[]; next_cursor: string | null } {
  const listed = rows.slice(0, limit);
  const last = rows.length > limit ? listed.at(-1) : undefined;
  return {
    page: listed.map(({ created: _created, ...row }) => row),
    next_cursor: last ? encodeCursor([last.created, last.id]) : null,
  };
}
