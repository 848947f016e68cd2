/** The longest tag of a language. */
export const MAX_LOCALE_LENGTH = 35;

/** The rule for tags of languages, in words that follow the name of a field. */
export const LOCALE_RULE = 'must be a language by its BCP 47 tag, such as de or pt-BR';

/**
 * Writes a tag of a language in its canonical form, such as `pt-BR` for `PT-br`, and `he` for the older `iw`.
 * @returns null if the text is no BCP 47 tag.
 */
export function canonicalLocale(tag: string): string | null {
  if (tag.length > MAX_LOCALE_LENGTH) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Finds the reason why a text cannot be the language of a translation. Only canonical forms can: so no language
 * has two translations.
 * @returns words that follow the name of a field; null if the text can be one.
 */
export function findLocaleProblem(tag: string): string | null {
  const canonical = canonicalLocale(tag);
  if (canonical === null) return LOCALE_RULE;
  return canonical === tag ? null : `must be written as ${canonical}`;
}
