import { MAX_TAG_LENGTH } from '@overworld/contract/players/players';
import { badRequest } from '../../platform/errors.ts';

/**
 * A tag as it is stored: trimmed and in lower case.
 * @param field Named in errors.
 * @throws ApiError 400 when it is empty or too long.
 */
export function normalizeTag(sent: string, field = 'tag'): string {
  const tag = sent.trim().toLowerCase();
  if (tag === '') throw badRequest(`${field} must not be empty`);
  if ([...tag].length > MAX_TAG_LENGTH) {
    throw badRequest(`${field} must have at most ${MAX_TAG_LENGTH} characters`);
  }
  return tag;
}
