import { STAT_DECIMALS } from '@overworld/contract/stats/stat-limits';

/*
 * Statistics are exact decimals. In JavaScript they are counted as whole millionths, because sums of doubles
 * are not exact.
 */

const UNIT = 10n ** BigInt(STAT_DECIMALS);

/** Tells whether a number has no more decimals than a statistic can have. */
export const hasFewDecimals = (value: number): boolean =>
  Number.isInteger(value) || Number(value.toFixed(STAT_DECIMALS)) === value;

/**
 * Turns a number with at most six decimals into millionths. It is the decimal that JavaScript writes, as in every
 * number that is sent to PostgreSQL; so both compare the same decimals.
 */
export function millionthsOf(value: number): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value) * UNIT;
  return readDecimal(String(value));
}

/** Reads a decimal as PostgreSQL writes it, such as `-0.25`, as millionths. */
export function readDecimal(text: string): bigint {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  return BigInt(whole + fraction.slice(0, STAT_DECIMALS).padEnd(STAT_DECIMALS, '0'));
}

/** Writes millionths as a decimal that PostgreSQL reads. */
export function writeDecimal(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths)
    .toString()
    .padStart(STAT_DECIMALS + 1, '0');
  const text = `${digits.slice(0, -STAT_DECIMALS)}.${digits.slice(-STAT_DECIMALS)}`;
  return millionths < 0n ? `-${text}` : text;
}

/** The nearest number to millionths, for answers. */
export const numberOf = (millionths: bigint): number => Number(writeDecimal(millionths));
