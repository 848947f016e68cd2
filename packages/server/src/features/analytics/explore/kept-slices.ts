import type { Packet } from './packet.ts';
import type { Slice } from './slice-cutter.ts';

/** A slice with what was read in it, and what tells whether it would be read again. */
export interface KeptSlice extends Slice {
  packets: readonly Packet[];
  count: number;
  id_sum: bigint;
}

/**
 * What reports read in the last minutes: who looks at a report again, as a page or as CSV, or at the
 * same days by another limit, waits for the new events only. Events never change, and the ids of new
 * ones are new: as long as their number and the sum of their ids are the same, so are they.
 */
export interface KeptSlices {
  /** The slice that a scan read from this moment on, if it is still there. */
  find(scan: string, from_ms: number): KeptSlice | undefined;
  keep(scan: string, slice: KeptSlice): void;
}

const KEPT_MS = 10 * 60_000;
/** Two and a half million events with a group and a number each are 60 MB. */
const MAX_KEPT_BYTES = 128 * 2 ** 20;

interface KeptScan {
  slices: Map<number, KeptSlice>;
  bytes: number;
  expiry: NodeJS.Timeout;
}

/** @param max_bytes Of all slices together; scans that were not asked for longest make room. */
export function createKeptSlices(max_bytes = MAX_KEPT_BYTES): KeptSlices {
  /** In the order of their last use. */
  const scans = new Map<string, KeptScan>();
  let bytes = 0;

  const drop = (key: string, scan: KeptScan) => {
    clearTimeout(scan.expiry);
    scans.delete(key);
    bytes -= scan.bytes;
  };
  const touch = (key: string, scan: KeptScan) => {
    scan.expiry.refresh();
    scans.delete(key);
    scans.set(key, scan);
  };
  const begin = (key: string): KeptScan => {
    const expiry = setTimeout(() => drop(key, scan), KEPT_MS).unref();
    const scan: KeptScan = { slices: new Map(), bytes: 0, expiry };
    return scan;
  };

  return {
    find(key, from_ms) {
      const scan = scans.get(key);
      if (scan === undefined) return undefined;
      touch(key, scan);
      return scan.slices.get(from_ms);
    },
    keep(key, slice) {
      const scan = scans.get(key) ?? begin(key);
      touch(key, scan);
      const before = scan.slices.get(slice.from_ms);
      const grown = sizeOf(slice) - (before === undefined ? 0 : sizeOf(before));
      for (const [other_key, other] of scans) {
        if (bytes + grown <= max_bytes || other === scan) break;
        drop(other_key, other);
      }
      if (bytes + grown > max_bytes) return;
      scan.slices.set(slice.from_ms, slice);
      scan.bytes += grown;
      bytes += grown;
    },
  };
}

/** Of each packet, besides its bytes and texts. */
const PACKET_BYTES = 300;

const sizeOf = ({ packets }: KeptSlice) =>
  packets.reduce(
    (sum, { view, values }) => sum + view.byteLength + values.length + PACKET_BYTES,
    PACKET_BYTES,
  );
