import { MAX_TRANSLATION_BYTES } from '@overworld/contract/translation-limits';
import { badRequest } from './errors.ts';

/**
 * Checks the size of all translations of a thing. The schema checks the languages and each text.
 * @throws ApiError 400
 */
export function requireShortTranslations(translations: object | undefined): void {
  if (translations === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(translations));
  if (bytes <= MAX_TRANSLATION_BYTES) return;
  const limit = MAX_TRANSLATION_BYTES.toLocaleString('en');
  throw badRequest(`translations must have at most ${limit} bytes of JSON`);
}
