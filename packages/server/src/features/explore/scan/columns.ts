type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** A list of numbers that grows, of few bytes an entry. */
export interface Column<A extends Numbers> {
  /** Makes room for so many more. @returns the array to write them to, and the place of the first. */
  extend(count: number): { array: A; from: number };
  /** What was written, in order. */
  values(): A;
}

const FIRST_LENGTH = 1 << 14;

export const createColumn = {
  doubles: () => makeColumn((length) => new Float64Array(length)),
  /** Of whole numbers below 2^32. */
  integers: () => makeColumn((length) => new Uint32Array(length)),
  /** Of whole numbers below 2^8. */
  bytes: () => makeColumn((length) => new Uint8Array(length)),
};

function makeColumn<A extends Numbers>(allocate: (length: number) => A): Column<A> {
  let array = allocate(FIRST_LENGTH);
  let length = 0;
  return {
    extend(count) {
      const from = length;
      length += count;
      if (length > array.length) {
        const grown = allocate(Math.max(length, array.length * 2));
        grown.set(array);
        array = grown;
      }
      return { array, from };
    },
    values: () => array.subarray(0, length) as A,
  };
}

/** Orders entries by a small number of each: `order` holds their places, `starts` where each begins. */
export function groupBy(keys: Uint32Array, key_count: number) {
  const starts = findStarts(keys, key_count);
  const next = starts.slice(0, key_count);
  const order = new Uint32Array(keys.length);
  for (let index = 0; index < keys.length; index++) order[next[keys[index]!]!++] = index;
  return { order, starts };
}

/** Where each group begins when entries are put one group after the other, and where the last ends. */
export function findStarts(keys: Uint32Array, key_count: number): Uint32Array {
  const starts = new Uint32Array(key_count + 1);
  for (let index = 0; index < keys.length; index++) starts[keys[index]! + 1]!++;
  for (let key = 0; key < key_count; key++) starts[key + 1]! += starts[key]!;
  return starts;
}

/** Puts entries one group after the other, which for few groups is faster than to look each up. */
export function arrange<A extends Numbers>(column: A, keys: Uint32Array, starts: Uint32Array): A {
  const next = starts.slice(0, -1);
  const arranged = column.slice() as A;
  for (let index = 0; index < column.length; index++) {
    arranged[next[keys[index]!]!++] = column[index]!;
  }
  return arranged;
}

/**
 * The values below which shares of all values lie, interpolated between neighbours, as
 * `percentile_cont` of PostgreSQL has them; nulls of no values.
 * @param values Are put into another order: only as far as it takes, where sorting two million would
 * take a quarter of a second.
 * @param shares Ascending.
 */
export function percentiles(values: Float64Array, shares: readonly number[]): (number | null)[] {
  if (values.length === 0) return shares.map(() => null);
  const places = shares.map((share) => share * (values.length - 1));
  const wanted = new Set(places.flatMap((place) => [Math.floor(place), Math.ceil(place)]));
  putInPlace(
    values,
    [...wanted].toSorted((a, b) => a - b),
    0,
    values.length - 1,
  );
  return places.map((place) => {
    const below = values[Math.floor(place)]!;
    const above = values[Math.ceil(place)]!;
    const part = place - Math.floor(place);
    return below === above ? below : below * (1 - part) + above * part;
  });
}

const SHORT = 32;

/**
 * Quickselect (Hoare): what belongs to the places gets there, between `first` and `last`. Pivots are
 * random: players send the values, and of fixed ones 100,000 in the worst order would exhaust the stack.
 */
function putInPlace(
  values: Float64Array,
  places: readonly number[],
  first: number,
  last: number,
): void {
  if (places.length === 0) return;
  if (last - first < SHORT) {
    values.subarray(first, last + 1).sort();
    return;
  }
  const pick = () => values[first + Math.floor(Math.random() * (last - first + 1))]!;
  const pivot = medianOf(pick(), pick(), pick());
  let left = first;
  let right = last;
  while (left <= right) {
    while (values[left]! < pivot) left++;
    while (values[right]! > pivot) right--;
    if (left > right) break;
    const swapped = values[left]!;
    values[left++] = values[right]!;
    values[right--] = swapped;
  }
  // Between the two all are the pivot.
  putInPlace(
    values,
    places.filter((place) => place <= right),
    first,
    right,
  );
  putInPlace(
    values,
    places.filter((place) => place >= left),
    left,
    last,
  );
}

const medianOf = (a: number, b: number, c: number) =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
