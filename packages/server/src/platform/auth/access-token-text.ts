import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ACCESS_TOKEN_PREFIX } from '@overworld/contract/access-tokens/limits';
import { hashToken } from './random-token.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 digits of base 62 have 256 random bits. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const VISIBLE_SECRET_DIGITS = 6;
const TOKEN = new RegExp(
  `^(${ACCESS_TOKEN_PREFIX}[${DIGITS}]{${SECRET_LENGTH}})([${DIGITS}]{${CHECKSUM_LENGTH}})$`,
);

/**
 * Makes an access token: the text to show once, the prefix that stays visible, and the hash to store. The
 * last six digits are a checksum of the others, so scanners of secrets find tokens and nothing else.
 */
export function makeAccessToken(): { token: string; prefix: string; token_hash: string } {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]);
  const unchecked = ACCESS_TOKEN_PREFIX + secret.join('');
  const token = unchecked + checksumOf(unchecked);
  const prefix = token.slice(0, ACCESS_TOKEN_PREFIX.length + VISIBLE_SECRET_DIGITS);
  return { token, prefix, token_hash: hashToken(token) };
}

/** Returns the hash of an access token; null if its form or its checksum is wrong. */
export function hashAccessToken(token: string): string | null {
  const [, unchecked, checksum] = TOKEN.exec(token) ?? [];
  if (unchecked === undefined || checksumOf(unchecked) !== checksum) return null;
  return hashToken(token);
}

/** Writes the CRC-32 of a text as six digits of base 62. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = DIGITS[rest % DIGITS.length]! + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
