import { badRequest } from '../errors.ts';

/**
 * One @, no spaces, and none of the characters that mean something in a mail's header: whether mail
 * arrives is for the mail to prove.
 */
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+@[\p{L}\p{M}\p{N}.-]+$/u;

/** The address as it is stored and looked up (by `lower(email)`). */
export const normalizeEmail = (text: string): string => text.trim().normalize('NFC');

/**
 * The normalised address.
 * @throws ApiError 400 when it is none.
 */
export function readEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!EMAIL.test(email)) throw badRequest('email must be a valid e-mail address');
  return email;
}
