/**
 * The number in a `NumberInput`, which gives text for `12.`, `2.0` and from 14 digits on. Undefined
 * while the field is empty, NaN for other text, such as `-`.
 */
export const readNumber = (typed: number | string): number | undefined =>
  typed === '' ? undefined : Number(typed);
