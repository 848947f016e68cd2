import type { Static, TProperties } from 'typebox';
import { LOCALE_RULE, MAX_LOCALE_LENGTH } from './locales.ts';
import { t } from './schema.ts';
import { MAX_LANGUAGES, MAX_TRANSLATION_BYTES } from './translation-limits.ts';

/**
 * Texts in other languages than the default one, by the tags of the languages.
 * @param members The texts of one language; all of them should be optional.
 */
export const translationsOf = <P extends TProperties>(members: P) => {
  const texts = t.Object(members, { additionalProperties: false });
  return t.Unsafe<Record<string, Static<typeof texts>>>(
    t.Object(
      {},
      {
        additionalProperties: texts,
        // The name of a member is the tag of a language in its canonical form.
        propertyNames: { format: 'canonical-locale' },
        maxProperties: MAX_LANGUAGES,
        description: `The texts in other languages by their BCP 47 tags in canonical form, such as \`de\` or \`pt-BR\`: at most ${MAX_LANGUAGES} languages and ${MAX_TRANSLATION_BYTES.toLocaleString('en')} bytes of JSON. A text that a language lacks is the default one. A language without texts says that the default texts are in it, so that readers who prefer it get them.`,
      },
    ),
  );
};

/** Query of calls whose answers have texts in several languages. */
export const AskedLocale = t.Optional(
  t.String(
    `Language of the texts by its BCP 47 tag, such as \`pt-BR\`, in any case; it takes the place of the header \`Accept-Language\`. Without a text in this language, a more general one, or a relative, the texts are the default ones. It ${LOCALE_RULE}.`,
    { format: 'locale', maxLength: MAX_LOCALE_LENGTH },
  ),
);

/** Header of the same calls. */
export const AcceptLanguage = t.Optional(
  t.String('The languages that the reader prefers, as browsers send them.'),
);
