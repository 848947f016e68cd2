const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/**
 * Writes a number of JSON as `propertyText` in SQL does, without an exponent and without zeros at its ends:
 * `3`, `3.0` and `3e0` are `3`. Two spellings have one text exactly if they are one number.
 */
export function numberText(spelling: string): string {
  const [, sign, whole, decimals = '', exponent = '0'] = PARTS.exec(spelling)!;
  const all = whole! + decimals;
  let start = 0;
  while (all[start] === '0') start++;
  if (start === all.length) return '0';
  let end = all.length;
  while (all[end - 1] === '0') end--;
  const digits = all.slice(start, end);
  const point = whole!.length + Number(exponent) - start;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Compares two numbers as `numberText` writes them. @returns a number below, at or above 0. */
export function compareNumberTexts(one: string, other: string): number {
  const [is_negative, is_other_negative] = [one.startsWith('-'), other.startsWith('-')];
  if (is_negative !== is_other_negative) return is_negative ? -1 : 1;
  return is_negative ? compareSizes(other.slice(1), one.slice(1)) : compareSizes(one, other);
}

function compareSizes(one: string, other: string): number {
  const digits = countWholeDigits(one) - countWholeDigits(other);
  if (digits !== 0) return digits;
  return one < other ? -1 : Number(one > other);
}

function countWholeDigits(number: string): number {
  const point = number.indexOf('.');
  return point === -1 ? number.length : point;
}
