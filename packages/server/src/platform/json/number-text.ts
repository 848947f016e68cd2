const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/**
 * Writes a number of JSON as `propertyText` in SQL does, without an exponent and without zeros at its ends:
 * `3`, `3.0` and `3e0` are `3`. Two spellings have one text exactly if they are one number.
 */
export function numberText(spelling: string): string {
  const [, sign, whole, decimals = '', exponent = '0'] = PARTS.exec(spelling)!;
  const digits = whole! + decimals;
  const point = whole!.length + Number(exponent);
  const padded = '0'.repeat(Math.max(0, 1 - point)) + digits.padEnd(point, '0');
  const end = Math.max(point, 1);
  const text = `${padded.slice(0, end).replace(/^0+(?=\d)/, '')}.${padded.slice(end)}`;
  const plain = text.replace(/\.?0*$/, '');
  return plain === '0' ? plain : `${sign}${plain}`;
}
