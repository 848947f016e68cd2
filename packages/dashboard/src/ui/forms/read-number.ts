/**
 * Reads the number in a `NumberInput`, which gives text for `12.`, `2.0` and 14 or more digits. Returns
 * undefined for an empty field, and NaN for other text, such as `-`.
 */
export const readNumber = (typed: number | string): number | undefined =>
  typed === '' ? undefined : Number(typed);
