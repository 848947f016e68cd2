import { hash } from 'node:crypto';

/** A strong entity tag: equal for equal contents, and in practice for no others. */
export function makeEtag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Tells whether an `If-None-Match` header lets a PUT create something, but not change it. */
export const asksForNew = (if_none_match: string | undefined): boolean =>
  if_none_match?.trim() === '*';

/**
 * Tells whether an `If-None-Match` header names the tag: alone, in a list, or by `*`. The tag may have
 * become a weak one, because proxies that compress weaken tags. A malformed tag names nothing.
 */
export function matchesEtag(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false;
  if (asksForNew(if_none_match)) return true;
  return if_none_match.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
