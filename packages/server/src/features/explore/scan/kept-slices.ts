import type { Packet } from './packet.ts';
import type { Slice } from './slice-cutter.ts';

/** A slice with what was read in it, and what tells whether the same would be read again. */
export interface KeptSlice extends Slice {
  packets: readonly Packet[];
  count: number;
  /** The sum of hashes of the ids: events never change, so the same ids are the same events. */
  id_sum: bigint;
}

/**
 * What reports read in the last minutes: who looks at a report again, as a page or as CSV, or at the
 * same days by another limit, waits for what is new.
 */
export interface KeptSlices {
  /**
   * @param scan Names what is read, of which events.
   * @param first_ms Where its first slice begins.
   */
  open(scan: string, first_ms: number): SliceKeeper;
}

/** What one scan keeps for the next that is the same. */
export interface SliceKeeper {
  /** What was read last time, one slice after the other from the first. */
  readonly known: readonly KeptSlice[];
  /** Adds what was read, or takes it for the slice that was known there. */
  add(slice: KeptSlice): void;
  /** Keeps what there is, from the first slice to where one is missing. */
  close(): void;
}

const KEPT_MS = 10 * 60_000;
/** Two and a half million events with a group and a number each are 80 MB. */
const MAX_KEPT_BYTES = 128 * 2 ** 20;
/** Smaller slices are joined: who asks every minute would else look at ever more of them. */
const JOINED_EVENTS = 20_000;

/** @param max_bytes Of all slices together; scans that were not asked for longest make room. */
export function createKeptSlices(max_bytes = MAX_KEPT_BYTES): KeptSlices {
  interface KeptScan {
    slices: readonly KeptSlice[];
    bytes: number;
    expiry: NodeJS.Timeout;
  }
  /** In the order of their last use. */
  const scans = new Map<string, KeptScan>();
  let kept_bytes = 0;

  const drop = (key: string) => {
    const scan = scans.get(key);
    if (scan === undefined) return;
    clearTimeout(scan.expiry);
    scans.delete(key);
    kept_bytes -= scan.bytes;
  };
  const store = (key: string, slices: readonly KeptSlice[]) => {
    drop(key);
    const bytes = slices.reduce((sum, slice) => sum + sizeOf(slice), 0);
    if (slices.length === 0 || bytes > max_bytes) return;
    for (const other of scans.keys()) {
      if (kept_bytes + bytes <= max_bytes) break;
      drop(other);
    }
    const expiry = setTimeout(() => drop(key), KEPT_MS).unref();
    scans.set(key, { slices, bytes, expiry });
    kept_bytes += bytes;
  };

  return {
    open(key, first_ms) {
      const known = scans.get(key)?.slices ?? [];
      const read = new Map(known.map((slice) => [slice.from_ms, slice]));
      let bytes = known.reduce((sum, slice) => sum + sizeOf(slice), 0);
      return {
        known,
        add(slice) {
          // Too much to be kept: let go of it at once.
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

function joinSlices(read: ReadonlyMap<number, KeptSlice>, first_ms: number): KeptSlice[] {
  const joined: KeptSlice[] = [];
  for (let slice = read.get(first_ms); slice !== undefined; slice = read.get(slice.to_ms)) {
    const last = joined.at(-1);
    if (last === undefined || last.count + slice.count > JOINED_EVENTS) joined.push(slice);
    else joined[joined.length - 1] = join(last, slice);
  }
  return joined;
}

const join = (first: KeptSlice, second: KeptSlice): KeptSlice => ({
  from_ms: first.from_ms,
  to_ms: second.to_ms,
  packets: [...first.packets, ...second.packets],
  count: first.count + second.count,
  id_sum: first.id_sum + second.id_sum,
});

/** What a slice or a packet takes besides bytes and texts. */
const OBJECT_BYTES = 300;
const MAX_CHARACTER_BYTES = 2;

const sizeOf = ({ packets }: KeptSlice) =>
  packets.reduce(
    (sum, { view, values }) =>
      sum + view.byteLength + values.length * MAX_CHARACTER_BYTES + OBJECT_BYTES,
    OBJECT_BYTES,
  );
