import { Secret, TOTP } from 'otpauth';

const STEP_SECONDS = 30;
/** Codes of this many steps before and after the current one are accepted: phones' clocks are inexact. */
const WINDOW = 1;

/** The settings that authenticator apps expect: SHA-1, six digits, and a new code each half minute. */
const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Overworld',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
  });

/** Makes a new secret in Base32: 160 random bits. */
export const makeTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** Makes the `otpauth://` URL that an app reads from a QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/** Finds the time step of a code, which tells whether the code was used before. Null: the code is wrong. */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}
