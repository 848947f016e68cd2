import { canonicalLocale, LOCALE_RULE } from '@overworld/contract/locales';

/** The texts of a thing in one language, as they are typed. */
export interface TypedTranslation {
  id: string;
  /** The tag of the language. */
  locale: string;
  /** The texts by the names of their members; one that is empty is the default one. */
  texts: Record<string, string>;
}

type Translations = Record<string, Partial<Record<string, string>>>;

/** Writes a tag in its canonical form if it is a language, so that `PT-br` becomes `pt-BR`. */
export const settleLocale = (typed: string): string =>
  canonicalLocale(typed.trim()) ?? typed.trim();

/** @param names The names of the members that each language can have. */
export const typeTranslations = (
  translations: Translations,
  names: readonly string[],
): TypedTranslation[] =>
  Object.entries(translations).map(([locale, texts]) => ({
    id: crypto.randomUUID(),
    locale,
    texts: Object.fromEntries(names.map((name) => [name, texts[name] ?? ''])),
  }));

/** Makes the body of a request. Texts that are empty are left out. */
export const readTranslations = (typed: readonly TypedTranslation[]): Record<string, object> =>
  Object.fromEntries(
    typed.map(({ locale, texts }) => [
      settleLocale(locale),
      Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== '')),
    ]),
  );

/** Finds the mistake in the languages; null if there is none. */
export function findTranslationProblem(typed: readonly TypedTranslation[]): string | null {
  const locales = typed.map(({ locale }) => settleLocale(locale));
  for (const [index, locale] of locales.entries()) {
    if (locale === '') return `Language ${index + 1} needs a tag, such as de or pt-BR`;
    if (canonicalLocale(locale) === null) return `${locale} ${LOCALE_RULE}`;
    if (locales.indexOf(locale) < index) return `${locale} is there twice`;
  }
  return null;
}
