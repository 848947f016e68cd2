import { MAX_TAG_LENGTH } from '@overworld/contract/players';
import { badRequest } from '../../platform/errors.ts';

/**
 * A tag as it is stored: trimmed and in lower case.
 * @throws ApiError 400 when it is empty or too long.
 */
export function normalizeTag(sent: string): string {
  const tag = sent.trim().toLowerCase();
  if (tag === '') throw badRequest('tag must not be empty');
  if ([...tag].length > MAX_TAG_LENGTH) {
    throw badRequest(`tag must have at most ${MAX_TAG_LENGTH} characters`);
  }
  return tag;
}
