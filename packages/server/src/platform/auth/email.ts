import { badRequest } from '../errors.ts';

/**
 * One @, no spaces, and no character with a meaning in a mail's header. Only a mail that arrives proves
 * more.
 */
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+@[\p{L}\p{M}\p{N}.-]+$/u;

/** The address as it is stored and looked up (by `lower(email)`). */
export const normalizeEmail = (text: string): string => text.trim().normalize('NFC');

/**
 * The normalised address.
 * @throws ApiError 400 when the text is no e-mail address.
 */
export function readEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!EMAIL.test(email)) throw badRequest('email must be a valid e-mail address');
  return email;
}
