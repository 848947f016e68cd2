import { badRequest } from '../errors.ts';
import { findStringProblem } from '../json/json-text.ts';

/** Makes the `next_cursor` of a page from the sort key of its last row. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * Reads the sort key from a cursor. The page begins after the row with this key. Returns null for the first
 * page.
 * @param isKey Tells whether these texts form a sort key of the list. It must check the number of texts, and
 * that ids are uuids.
 * @throws ApiError 400 when the cursor was not made by this list.
 */
export function decodeCursor(
  cursor: string | undefined,
  isKey: (key: readonly string[]) => boolean,
): readonly string[] | null {
  if (cursor === undefined) return null;
  const key = parse(Buffer.from(cursor, 'base64url').toString());
  const isTexts =
    Array.isArray(key) &&
    key.every((text) => typeof text === 'string' && findStringProblem(text) === null);
  if (!isTexts || !isKey(key)) throw badRequest('cursor is not valid');
  return key;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
