type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

const FIRST_LENGTH = 1 << 14;

export const createColumn = {
  doubles: () => makeColumn((length) => new Float64Array(length)),
  /** A column of whole numbers below 2^32. */
  integers: () => makeColumn((length) => new Uint32Array(length)),
  /** A column of whole numbers below 2^8. */
  bytes: () => makeColumn((length) => new Uint8Array(length)),
};

/** A list of numbers that grows, with few bytes per entry. */
function makeColumn<A extends Numbers>(allocate: (length: number) => A) {
  let array = allocate(FIRST_LENGTH);
  let length = 0;
  const extend = (count: number) => {
    const from = length;
    length += count;
    if (length > array.length) {
      const grown = allocate(Math.max(length, array.length * 2));
      grown.set(array);
      array = grown;
    }
    return { array, from };
  };
  return {
    /**
     * Makes room for more entries.
     * @returns the array to write the entries to, and the index of the first of them.
     */
    extend,
    /** Adds the first entries of another column. */
    append(entries: Float64Array | Int32Array | Uint8Array, count: number) {
      const { array: into, from } = extend(count);
      into.set(entries.subarray(0, count), from);
    },
    /** Adds an entry. For many entries, one `extend` is cheaper. */
    push(value: number) {
      const { array: into, from } = extend(1);
      into[from] = value;
    },
    /** Removes the last entries. */
    drop(count: number) {
      length -= count;
    },
    /** All entries, in order. */
    values: () => array.subarray(0, length) as A,
  };
}

/** Returns the array or, if it is too short for the index, a larger copy. */
export function makeRoom(array: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  if (index < array.length) return array;
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/**
 * Groups entries by their keys, which are small numbers.
 * @returns `order`, the indexes of the entries of the first group, then those of the next group, and so on;
 * and `starts`, the places in `order` where the groups begin.
 */
export function groupBy(keys: Uint32Array, key_count: number) {
  const starts = findStarts(keys, key_count);
  const next = starts.slice(0, key_count);
  const order = new Uint32Array(keys.length);
  for (let index = 0; index < keys.length; index++) order[next[keys[index]!]!++] = index;
  return { order, starts };
}

/**
 * Finds the place at which each group starts if the entries are ordered by group. The last element of the
 * result is the place at which the last group ends.
 */
export function findStarts(keys: Uint32Array, key_count: number): Uint32Array {
  const starts = new Uint32Array(key_count + 1);
  for (let index = 0; index < keys.length; index++) starts[keys[index]! + 1]!++;
  for (let key = 0; key < key_count; key++) starts[key + 1]! += starts[key]!;
  return starts;
}

/**
 * Arranges entries so that one group follows the other. For few groups this is faster than a look-up of each
 * entry.
 */
export function arrange<A extends Numbers>(column: A, keys: Uint32Array, starts: Uint32Array): A {
  const next = starts.slice(0, -1);
  const arranged = column.slice() as A;
  for (let index = 0; index < column.length; index++) {
    arranged[next[keys[index]!]!++] = column[index]!;
  }
  return arranged;
}

/**
 * Computes percentiles in the same way as PostgreSQL's `percentile_cont`, which interpolates between
 * neighbouring values. The percentiles are null if there are no values.
 * @param values The call changes their order, but does not sort them all. Sorting two million values would
 * take a quarter of a second.
 * @param shares Shares of all values, 0 to 1, ascending.
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
 * Puts into each of `places` the value that this place would have if the values from `first` to `last`
 * were sorted (quickselect by Hoare). The pivot is random, because players choose the values: with
 * a fixed pivot, 100,000 values in the worst order would exhaust the stack.
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
  // All values between `right` and `left` are equal to the pivot.
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
