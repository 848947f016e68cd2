/** Places of the grid lines: about five round numbers of units, from 0 to at least `highest`. */
export function ticksTo(highest: number, unit = 1): number[] {
  const units = Math.max(1, highest / unit);
  const rough = units / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].find((each) => each * power >= rough)! * power);
  return Array.from({ length: Math.ceil(units / step) + 1 }, (_, n) => n * step * unit);
}

/** Places of at most `count` labels among `length` periods, evenly spaced back from the last one. */
export function labelPlaces(length: number, count: number): number[] {
  const step = Math.max(1, Math.ceil(length / Math.max(1, count)));
  const places: number[] = [];
  for (let place = length - 1; place >= 0; place -= step) places.unshift(place);
  return places;
}
