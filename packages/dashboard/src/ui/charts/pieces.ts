/**
 * Divides a line where it has no number.
 * @param left_out A place that belongs to no piece, such as that of a period that is not over.
 * @returns the places of each piece, in order.
 */
export function piecesOf(values: readonly (number | null)[], left_out: number): number[][] {
  const pieces: number[][] = [];
  values.forEach((value, place) => {
    if (value === null || place === left_out) return;
    if (pieces.at(-1)?.at(-1) === place - 1) pieces.at(-1)!.push(place);
    else pieces.push([place]);
  });
  return pieces;
}
