/** Returns the values of the grid lines: about five multiples of the unit, from 0 to at least `highest`. */
export function ticksTo(highest: number, unit = 1): number[] {
  const units = Math.max(1, highest / unit);
  const step = Math.max(1, roundUp(units / 4));
  return Array.from({ length: Math.ceil(units / step) + 1 }, (_, n) => n * step * unit);
}

/**
 * Returns the values of the grid lines: some round numbers, from at most `lowest`
 * to at least `highest`. Near the largest double, there are only two such lines.
 */
export function ticksBetween(lowest: number, highest: number): number[] {
  const span = highest - lowest || Math.abs(highest) || 1;
  const step = roundUp(span / 4);
  const first = Math.floor(lowest / step) * step;
  const count = Math.max(2, Math.ceil((highest - first) / step) + 1);
  if (!(step > 0 && Number.isFinite(first) && Number.isFinite(first + count * step))) {
    return [...new Set([lowest, highest])];
  }
  // The `Set` removes duplicates, which occur when the step is
  // smaller than the distance between two neighbouring doubles.
  return [...new Set(Array.from({ length: count }, (_, n) => first + n * step))];
}

/** Returns the next number that is 1, 2, 2.5, 5 or 10 times a power of ten. */
function roundUp(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 2.5, 5, 10].find((each) => each * power >= rough)! * power;
}

/**
 * Chooses which of `length` periods get a label: at most `count`, evenly spaced backwards from the last one.
 */
export function labelPlaces(length: number, count: number): number[] {
  const step = Math.max(1, Math.ceil(length / Math.max(1, count)));
  const places: number[] = [];
  for (let place = length - 1; place >= 0; place -= step) places.unshift(place);
  return places;
}
