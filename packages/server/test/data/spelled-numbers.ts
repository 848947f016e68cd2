import fc from 'fast-check';

/** A number of JSON, which has many spellings: all digits, without zeros at the ends, times 10^-scale. */
interface Decimal {
  sign: '' | '-';
  digits: string;
  scale: number;
}

const decimal: fc.Arbitrary<Decimal> = fc
  .record({
    sign: fc.constantFrom('', '' as const, '-' as const),
    digits: fc.oneof(
      fc.nat({ max: 30 }).map(String),
      fc.constantFrom('9007199254740993', '9007199254740992', '76561198000000001'),
      fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
    ),
    scale: fc.oneof(fc.constantFrom(0, 0, 1, 2), fc.integer({ min: -20, max: 20 })),
  })
  .map(
    ({ sign, digits, scale }) => ({ sign: digits === '0' ? '' : sign, digits, scale }) as Decimal,
  );

/** A way to write a number: zeros after its digits, and the power of ten that is written as an exponent. */
const style = fc.record({
  zeros: fc.constantFrom(0, 0, 1, 2, 3),
  exponent: fc.constantFrom(0, 0, 0, 1, -1, 3, -3),
  e: fc.constantFrom('e', 'E', 'e+'),
  minus_zero: fc.boolean(),
});

/** Random spellings of one number. */
export const anySpellings = (max: number): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      decimal,
      fc.uniqueArray(style, { minLength: 1, maxLength: max, selector: JSON.stringify }),
    )
    .map(([number, styles]) => [...new Set(styles.map((chosen) => spell(number, chosen)))]);

function spell(
  { sign, digits, scale }: Decimal,
  {
    zeros,
    exponent,
    e,
    minus_zero,
  }: { zeros: number; exponent: number; e: string; minus_zero: boolean },
): string {
  const places = scale + zeros + exponent;
  const all = digits + '0'.repeat(zeros);
  const long = places < 0 ? all + '0'.repeat(-places) : all.padStart(places + 1, '0');
  const whole = places > 0 ? long.slice(0, -places) : long;
  const plain = `${whole.replace(/^0+(?=\d)/, '')}${places > 0 ? `.${long.slice(-places)}` : ''}`;
  const minus = digits === '0' && minus_zero ? '-' : sign;
  if (exponent === 0) return minus + plain;
  return `${minus}${plain}${exponent < 0 ? e.replace('+', '') : e}${exponent}`;
}
