import { findNameProblem } from '@overworld/contract/names';
import { MAX_TAG_LENGTH } from '@overworld/contract/players/players';
import { normalizeTag } from '@overworld/contract/players/tags';
import { badRequest } from '../errors.ts';

/** A tag that players get or lose. */
export interface TagChange {
  tag: string;
  action: 'add' | 'remove';
}

/**
 * Converts a tag from a request to the form that is stored.
 * @param field The name of the field, for errors.
 * @throws ApiError 400 when the tag is empty or too long.
 */
export function readTag(sent: string, field = 'tag'): string {
  const tag = normalizeTag(sent);
  if (tag === '') throw badRequest(`${field} must not be empty`);
  if ([...tag].length > MAX_TAG_LENGTH) {
    throw badRequest(`${field} must have at most ${MAX_TAG_LENGTH} characters`);
  }
  return tag;
}

/**
 * Does the same for a tag that players may get.
 * @throws ApiError 400 also when the tag shows nothing.
 */
export function readNewTag(sent: string, field = 'tag'): string {
  const tag = readTag(sent, field);
  const problem = findNameProblem(tag);
  if (problem !== null) throw badRequest(`${field} ${problem}`);
  return tag;
}
