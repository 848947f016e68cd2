import type { Packet } from './packet.ts';
import type { Slice } from './slice-cutter.ts';

/** A slice with its packets. Count and sum tell whether its events are still the same. */
export interface CachedSlice extends Slice {
  packets: readonly Packet[];
  count: number;
  /**
   * The sum of the hashes of ids and players. Of an event nothing else ever changes, so that equal sums
   * mean equal events.
   */
  id_sum: bigint;
}

/**
 * The slices that reports read in the last minutes. The next report on the same events, such as the
 * CSV of a page, only reads the newer ones.
 */
export interface SliceCache {
  /**
   * @param scan A name for the fields and events that are read.
   * @param first_ms The start of the first slice.
   */
  open(scan: string, first_ms: number): ScanCache;
}

/** The cached slices of one scan. */
interface ScanCache {
  /** The slices of the last report, without gaps from the first on. */
  readonly known: readonly CachedSlice[];
  /** Adds a slice, or replaces the one that was known there. */
  add(slice: CachedSlice): void;
  /** Stores the slices, from the first one to the first gap. */
  close(): void;
}

const CACHED_MS = 10 * 60_000;
/** Two and a half million events with a group and a number each take 80 MB. */
const MAX_CACHED_BYTES = 128 * 2 ** 20;
/**
 * Smaller slices are joined; a report that is asked for every minute would else leave more and more
 * of them.
 */
const JOINED_EVENTS = 20_000;

/** @param max_bytes Limit of all slices together. The scans with the oldest use make room. */
export function createSliceCache(max_bytes = MAX_CACHED_BYTES): SliceCache {
  interface CachedScan {
    slices: readonly CachedSlice[];
    bytes: number;
    expiry: NodeJS.Timeout;
  }
  /** The scan with the oldest use comes first. */
  const scans = new Map<string, CachedScan>();
  let cached_bytes = 0;

  const drop = (key: string) => {
    const scan = scans.get(key);
    if (scan === undefined) return;
    clearTimeout(scan.expiry);
    scans.delete(key);
    cached_bytes -= scan.bytes;
  };
  const store = (key: string, slices: readonly CachedSlice[]) => {
    drop(key);
    const bytes = slices.reduce((sum, slice) => sum + sizeOf(slice), 0);
    if (slices.length === 0 || bytes > max_bytes) return;
    for (const other of scans.keys()) {
      if (cached_bytes + bytes <= max_bytes) break;
      drop(other);
    }
    const expiry = setTimeout(() => drop(key), CACHED_MS).unref();
    scans.set(key, { slices, bytes, expiry });
    cached_bytes += bytes;
  };

  return {
    open(key, first_ms) {
      const known = scans.get(key)?.slices ?? [];
      const read = new Map(known.map((slice) => [slice.from_ms, slice]));
      let bytes = known.reduce((sum, slice) => sum + sizeOf(slice), 0);
      return {
        known,
        add(slice) {
          // The slices of this scan are too large for the cache.
          if (bytes > max_bytes) return;
          const before = read.get(slice.from_ms);
          bytes += sizeOf(slice) - (before === undefined ? 0 : sizeOf(before));
          if (bytes > max_bytes) read.clear();
          else read.set(slice.from_ms, slice);
        },
        close: () => store(key, joinSlices(read, first_ms)),
      };
    },
  };
}

function joinSlices(read: ReadonlyMap<number, CachedSlice>, first_ms: number): CachedSlice[] {
  const joined: CachedSlice[] = [];
  for (let slice = read.get(first_ms); slice !== undefined; slice = read.get(slice.to_ms)) {
    const last = joined.at(-1);
    if (last === undefined || last.count + slice.count > JOINED_EVENTS) joined.push(slice);
    else joined[joined.length - 1] = join(last, slice);
  }
  return joined;
}

const join = (first: CachedSlice, second: CachedSlice): CachedSlice => ({
  from_ms: first.from_ms,
  to_ms: second.to_ms,
  packets: [...first.packets, ...second.packets],
  count: first.count + second.count,
  id_sum: first.id_sum + second.id_sum,
});

/** Memory of a slice or a packet besides its bytes and texts. */
const OBJECT_BYTES = 300;
const MAX_CHARACTER_BYTES = 2;

const sizeOf = ({ packets }: CachedSlice) =>
  packets.reduce(
    (sum, { view, values }) =>
      sum + view.byteLength + values.length * MAX_CHARACTER_BYTES + OBJECT_BYTES,
    OBJECT_BYTES,
  );
