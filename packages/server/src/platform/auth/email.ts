import { badRequest } from '../errors.ts';

/**
 * Requires one @, no spaces, no character that nobody sees, and no character with a meaning in the header of
 * a mail. Only a mail that arrives proves that an address works.
 */
const EMAIL =
  /^(?!.*[\p{Default_Ignorable_Code_Point}\u2800])[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+@[\p{L}\p{M}\p{N}.-]+$/u;

/** Writes an address in the form in which it is stored and looked up (by `fold_text(email)`). */
export const normalizeEmail = (text: string): string => text.trim().normalize('NFC');

/**
 * Reads an e-mail address. @returns the normalised address.
 * @throws ApiError 400 when the text is no e-mail address.
 */
export function readEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!EMAIL.test(email)) throw badRequest('email must be a valid e-mail address');
  return email;
}
