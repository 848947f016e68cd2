import { randomInt } from 'node:crypto';
import { hashToken } from './random-token.ts';

/** The 32 characters of a code. None look alike: 0 and O are missing, and 1 and I. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Makes a random code for people to type, with dashes between groups of four characters. Each character has 5
 * random bits.
 * @param length The number of characters, without the dashes.
 */
export function makeTypedCode(length: number): string {
  const code = Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return code.replaceAll(/(.{4})(?=.)/g, '$1-');
}

/** Hashes a code. People may type it in upper or lower case, with or without dashes and spaces. */
export const hashTypedCode = (code: string): string =>
  hashToken(code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''));
