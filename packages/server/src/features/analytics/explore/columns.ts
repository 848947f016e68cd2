type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** A list of numbers that grows, of few bytes an entry. */
export interface Column<A extends Numbers> {
  push(value: number): void;
  /** What was pushed, in order. */
  values(): A;
}

const FIRST_LENGTH = 1 << 14;

/** Of doubles. */
export const createDoubles = () => createColumn((length) => new Float64Array(length));
/** Of whole numbers below 2^32. */
export const createIntegers = () => createColumn((length) => new Uint32Array(length));

function createColumn<A extends Numbers>(allocate: (length: number) => A): Column<A> {
  let array = allocate(FIRST_LENGTH);
  let length = 0;
  return {
    push(value) {
      if (length === array.length) {
        const grown = allocate(length * 2);
        grown.set(array);
        array = grown;
      }
      array[length++] = value;
    },
    values: () => array.subarray(0, length) as A,
  };
}

/** Orders entries by a small number of each: `order` holds their places, `starts` where each begins. */
export function groupBy(keys: Uint32Array, key_count: number) {
  const starts = new Uint32Array(key_count + 1);
  for (let index = 0; index < keys.length; index++) starts[keys[index]! + 1]!++;
  for (let key = 0; key < key_count; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice(0, key_count);
  const order = new Uint32Array(keys.length);
  for (let index = 0; index < keys.length; index++) order[next[keys[index]!]!++] = index;
  return { order, starts };
}

/**
 * The value below which a share of sorted values lies, interpolated between neighbours, as
 * `percentile_cont` of PostgreSQL has it; null of none.
 */
export function percentile(sorted: Float64Array, share: number): number | null {
  if (sorted.length === 0) return null;
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  const part = place - Math.floor(place);
  return below === above ? below : below * (1 - part) + above * part;
}
