const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Compares two texts as people order them: numbers by their size and before other texts, and numbers within
 * texts by their size too, so `1-2` comes before `1-10`. The order is total: equal only for equal texts. This
 * file has no imports, so that the web app can use it without schemas.
 */
export function compareNaturally(a: string, b: string): number {
  const [a_is_number, b_is_number] = [NUMBER.test(a), NUMBER.test(b)];
  if (a_is_number !== b_is_number) return a_is_number ? -1 : 1;
  const order = a_is_number ? Number(a) - Number(b) : comparePieces(a, b);
  return order || (a < b ? -1 : Number(a > b));
}

/** Compares pieces that are digits by their size, and all others by code points. */
function comparePieces(a: string, b: string): number {
  const [as, bs] = [piecesOf(a), piecesOf(b)];
  for (let index = 0; index < Math.min(as.length, bs.length); index++) {
    const [one, two] = [as[index]!, bs[index]!];
    if (one === two) continue;
    const [one_is_digits, two_is_digits] = [/^\d/.test(one), /^\d/.test(two)];
    if (!one_is_digits || !two_is_digits) return one < two ? -1 : 1;
    const [x, y] = [one, two].map((digits) => digits.replace(/^0+(?=\d)/, '')) as [string, string];
    const order = x.length - y.length || (x < y ? -1 : Number(x > y));
    if (order !== 0) return order;
  }
  return as.length - bs.length;
}

const piecesOf = (text: string): string[] => text.match(/\d+|\D+/g) ?? [];
