// Represents the values of GDScript as values of JavaScript. An int is a bigint and a float is a number,
// so 1 and 1.0 differ. An Array is an array, and a Dictionary is an instance of the class `Dictionary`.
import { createHash } from 'node:crypto';

/** Any value of GDScript. */
// oxlint-disable-next-line no-explicit-any
export type Value = any;

export class Dictionary {
  readonly map = new Map<Value, Value>();

  constructor(pairs: Iterable<[Value, Value]> = []) {
    for (const [key, value] of pairs) this.map.set(key, value);
  }
}

export class PackedStringArray extends Array<string> {}

export class PackedByteArray {
  bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

type Method = (self: Value, ...given: Value[]) => Value;

const count = (value: number) => BigInt(value);
const packed = (items: string[]) => PackedStringArray.from(items) as PackedStringArray;

const STRING_METHODS: { [name: string]: Method } = {
  begins_with: (self, text) => self.startsWith(text),
  contains: (self, text) => self.includes(text),
  ends_with: (self, text) => self.endsWith(text),
  find: (self, text, from = 0n) => count(self.indexOf(text, Number(from))),
  hex_to_int: (self) => BigInt(`0x${self}`),
  is_valid_float: (self) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(self),
  is_valid_hex_number: (self) => /^[+-]?[0-9a-f]+$/i.test(self),
  is_valid_int: (self) => /^[+-]?\d+$/.test(self),
  join: (self, parts) => {
    if (!(parts instanceof PackedStringArray)) {
      throw new TypeError('join needs a PackedStringArray');
    }
    return parts.join(self);
  },
  left: (self, length) => self.slice(0, Number(length)),
  length: (self) => count(self.length),
  lpad: (self, length, character = ' ') => self.padStart(Number(length), character),
  path_join: (self, other) => (self.endsWith('/') ? self + other : `${self}/${other}`),
  replace: (self, what, by) => self.replaceAll(what, by),
  rfind: (self, text) => count(self.lastIndexOf(text)),
  rstrip: (self, characters) => {
    let end = self.length;
    while (end > 0 && characters.includes(self[end - 1])) end--;
    return self.slice(0, end);
  },
  sha256_text: (self) => createHash('sha256').update(self).digest('hex'),
  split: (self, by, allowsEmpty = true) =>
    packed(self.split(by).filter((part: string) => allowsEmpty || part !== '')),
  strip_edges: (self) => self.trim(),
  substr: (self, from, length = -1n) =>
    length < 0n ? self.slice(Number(from)) : self.substring(Number(from), Number(from + length)),
  to_float: (self) => Number.parseFloat(self) || 0,
  to_int: (self) => {
    const value = BigInt(/^[+-]?\d+/.exec(self)?.[0].replace('+', '') ?? 0);
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${self} is no 64-bit integer`);
    return value;
  },
  to_lower: (self) => self.toLowerCase(),
  to_utf8_buffer: (self) => new PackedByteArray(Buffer.from(self)),
  trim_prefix: (self, text) => (self.startsWith(text) ? self.slice(text.length) : self),
  uri_encode: (self) =>
    encodeURIComponent(self).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
};

const ARRAY_METHODS: { [name: string]: Method } = {
  append: (self, item) => void self.push(item),
  append_array: (self, items) => void self.push(...items),
  duplicate: (self) => [...self],
  erase: (self, item) => {
    const place = self.findIndex((each: Value) => equals(each, item));
    if (place >= 0) self.splice(place, 1);
  },
  find: (self, item) => count(self.findIndex((each: Value) => equals(each, item))),
  has: (self, item) => self.some((each: Value) => equals(each, item)),
  is_empty: (self) => self.length === 0,
  remove_at: (self, place) => {
    if (place < 0n || place >= self.length) throw new RangeError(`nothing is at ${place}`);
    self.splice(Number(place), 1);
  },
  size: (self) => count(self.length),
  slice: (self, from, to = count(self.length)) => self.slice(Number(from), Number(to)),
  sort: (self) => void self.sort(),
};

const DICTIONARY_METHODS: { [name: string]: Method } = {
  duplicate: (self, isDeep = false) =>
    new Dictionary([...self.map].map(([key, value]) => [key, isDeep ? copy(value) : value])),
  erase: (self, key) => self.map.delete(key),
  get: (self, key, fallback = null) => (self.map.has(key) ? self.map.get(key) : fallback),
  has: (self, key) => self.map.has(key),
  has_all: (self, keys) => keys.every((key: Value) => self.map.has(key)),
  is_empty: (self) => self.map.size === 0,
};

const BYTES_METHODS: { [name: string]: Method } = {
  append_array: (self, other) => void (self.bytes = Buffer.concat([self.bytes, other.bytes])),
  get_string_from_utf8: (self) => self.bytes.toString('utf8'),
  hex_encode: (self) => self.bytes.toString('hex'),
  is_empty: (self) => self.bytes.length === 0,
  size: (self) => count(self.bytes.length),
};

/**
 * Returns the built-in methods of a value. Returns null if the value's type has no built-in methods here,
 * as for objects.
 */
export function methodsOf(value: Value): { [name: string]: Method } | null {
  if (typeof value === 'string') return STRING_METHODS;
  if (Array.isArray(value)) return ARRAY_METHODS;
  if (value instanceof Dictionary) return DICTIONARY_METHODS;
  if (value instanceof PackedByteArray) return BYTES_METHODS;
  return null;
}

function copy(value: Value): Value {
  if (Array.isArray(value)) return value.map(copy);
  return value instanceof Dictionary ? DICTIONARY_METHODS.duplicate!(value, true) : value;
}

export function equals(a: Value, b: Value): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equals(item, b[index]));
  }
  // oxlint-disable-next-line eqeqeq -- 1 == 1.0 in GDScript, too
  return isNumber(a) && isNumber(b) ? a == b : (a ?? null) === (b ?? null);
}

const isNumber = (value: Value) => typeof value === 'bigint' || typeof value === 'number';

/** Returns the text that Godot's function `str()` makes of a value. */
export function str(value: Value): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value);
  return value === null ? '<null>' : String(value);
}

/** Applies an operator to two ints, or to two floats if one operand is a float. */
export function calculate(
  a: Value,
  b: Value,
  onInts: (a: bigint, b: bigint) => bigint,
  onFloats: (a: number, b: number) => number,
): Value {
  if (!isNumber(a) || !isNumber(b)) throw new TypeError(`no operator for ${str(a)} and ${str(b)}`);
  if (typeof a === 'bigint' && typeof b === 'bigint') return BigInt.asIntN(64, onInts(a, b));
  return onFloats(Number(a), Number(b));
}

export function compare(a: Value, b: Value): number {
  const isFit = (isNumber(a) && isNumber(b)) || (typeof a === 'string' && typeof b === 'string');
  if (!isFit) throw new TypeError(`${str(a)} and ${str(b)} cannot be compared`);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Evaluates GDScript's `"…%d…" % values`. */
export function format(pattern: string, given: Value): string {
  const values = Array.isArray(given) ? [...given] : [given];
  return pattern.replace(/%(0?)(\d*)([sdx])/g, (_, zero, width, kind) => {
    const value = values.shift();
    if (value === undefined) throw new TypeError(`not enough values for ${pattern}`);
    if (kind !== 's' && typeof value !== 'bigint') throw new TypeError(`%${kind} needs an int`);
    const text = kind === 'x' ? value.toString(16) : str(value);
    return text.padStart(Number(width || 0), zero || ' ');
  });
}

/** Converts a value as GDScript does when it is assigned to a variable of this type. */
export function typed(value: Value, type: string): Value {
  switch (type) {
    case 'int':
      if (typeof value === 'bigint') return value;
      break;
    case 'float':
      if (isNumber(value)) return Number(value);
      break;
    case 'bool':
      if (typeof value === 'boolean') return value;
      break;
    case 'String':
      if (typeof value === 'string') return value;
      break;
    case 'Array':
      if (Array.isArray(value)) return value;
      break;
    case 'PackedStringArray':
      if (value instanceof PackedStringArray) return value;
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
        return packed(value);
      }
      break;
    case 'Dictionary':
      if (value instanceof Dictionary) return value;
      break;
    case 'PackedByteArray':
      if (value instanceof PackedByteArray) return value;
      break;
    case 'Object':
      if (value === null || methodsOf(value) === null) return value;
      break;
    default:
      return value ?? null;
  }
  throw new TypeError(`a value of type ${type} is needed, not ${str(value)}`);
}

/** Returns the initial value of a variable of this type. */
export function initial(type: string): Value {
  const values: { [type: string]: () => Value } = {
    int: () => 0n,
    float: () => 0,
    bool: () => false,
    String: () => '',
    Array: () => [],
    PackedStringArray: () => new PackedStringArray(),
    Dictionary: () => new Dictionary(),
  };
  return values[type]?.() ?? null;
}
