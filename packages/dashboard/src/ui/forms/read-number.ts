/**
 * What a `NumberInput` holds: it gives text for `12.`, `2.0` and from 14 digits on. Undefined while
 * it is empty, NaN while it is no number, such as `-`.
 */
export const readNumber = (typed: number | string): number | undefined =>
  typed === '' ? undefined : Number(typed);
