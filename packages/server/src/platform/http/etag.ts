import { hash } from 'node:crypto';

/**
 * Makes a strong entity tag. Equal contents have equal tags, and in practice different contents have
 * different tags.
 */
export function makeEtag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Tells whether an `If-None-Match` header allows a PUT only to create something, not to change it. */
export const asksForNew = (if_none_match: string | undefined): boolean =>
  if_none_match?.trim() === '*';

/**
 * Tells whether an `If-None-Match` header names the tag, by itself, in a list, or by `*`. The weak form of
 * the tag matches too, because proxies that compress answers weaken tags. A malformed tag matches nothing.
 */
export function matchesEtag(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false;
  if (asksForNew(if_none_match)) return true;
  return if_none_match.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
