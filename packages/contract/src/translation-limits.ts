/** The largest number of languages of a thing, besides the default one. */
export const MAX_LANGUAGES = 30;
/** The largest size of all translations of a thing, in bytes of JSON in UTF-8. */
export const MAX_TRANSLATION_BYTES = 16_384;
