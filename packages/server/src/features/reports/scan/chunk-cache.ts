import type { Packet } from './packet.ts';
import type { Chunk } from './chunk-cutter.ts';

/**
 * A chunk of events, as packets from the database. `count` and `id_sum` tell whether the stored events of the
 * chunk are still the same.
 */
export interface CachedChunk extends Chunk {
  packets: readonly Packet[];
  count: number;
  /**
   * The sum of the hashes of the events' ids and players. Nothing else about a
   * stored event can change, so equal sums mean equal events.
   */
  id_sum: bigint;
}

/** The cached chunks of one scan. */
interface ScanCache {
  /** The chunks that the cache already has, without gaps between them. */
  readonly known: readonly CachedChunk[];
  /** Adds a chunk, or replaces the known chunk with the same start. */
  add(chunk: CachedChunk): void;
  /** Puts the chunks of this scan into the cache, up to the first gap between two chunks. */
  close(): void;
}

const CACHED_MS = 10 * 60_000;
/** For example, 2.5 million events take 80 MB if each event has a group and a number. */
const MAX_CACHED_BYTES = 128 * 2 ** 20;
/**
 * Smaller chunks are joined up to this number of events. If they were not, a report that is
 * made every minute would leave more and more small chunks.
 */
const JOINED_EVENTS = 20_000;

/**
 * @param max_bytes The size limit of all chunks together. When it is
 * reached, the least recently used scans are dropped.
 */
export function createChunkCache(max_bytes = MAX_CACHED_BYTES) {
  interface CachedScan {
    chunks: readonly CachedChunk[];
    bytes: number;
    expiry: NodeJS.Timeout;
  }
  /** The least recently used scan comes first. */
  const scans = new Map<string, CachedScan>();
  let cached_bytes = 0;

  const drop = (key: string) => {
    const scan = scans.get(key);
    if (scan === undefined) return;
    clearTimeout(scan.expiry);
    scans.delete(key);
    cached_bytes -= scan.bytes;
  };
  const store = (key: string, chunks: readonly CachedChunk[]) => {
    drop(key);
    const bytes = chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0);
    if (chunks.length === 0 || bytes > max_bytes) return;
    for (const other of scans.keys()) {
      if (cached_bytes + bytes <= max_bytes) break;
      drop(other);
    }
    const expiry = setTimeout(() => drop(key), CACHED_MS).unref();
    scans.set(key, { chunks, bytes, expiry });
    cached_bytes += bytes;
  };

  return {
    /**
     * @param key A text that tells which fields of which events are read.
     * @param first_ms The start of the first chunk.
     */
    open(key: string, first_ms: number): ScanCache {
      const known = scans.get(key)?.chunks ?? [];
      const read = new Map(known.map((chunk) => [chunk.from_ms, chunk]));
      let bytes = known.reduce((sum, chunk) => sum + sizeOf(chunk), 0);
      return {
        known,
        add(chunk) {
          // The chunks of this scan are too large for the cache.
          if (bytes > max_bytes) return;
          const before = read.get(chunk.from_ms);
          bytes += sizeOf(chunk) - (before === undefined ? 0 : sizeOf(before));
          if (bytes > max_bytes) read.clear();
          else read.set(chunk.from_ms, chunk);
        },
        close: () => store(key, joinChunks(read, first_ms)),
      };
    },
  };
}

/**
 * A cache of the chunks that reports have read in the last minutes. The next report on the same events, such
 * as the CSV of a page, reads only newer chunks.
 */
export type ChunkCache = ReturnType<typeof createChunkCache>;

function joinChunks(read: ReadonlyMap<number, CachedChunk>, first_ms: number): CachedChunk[] {
  const joined: CachedChunk[] = [];
  for (let chunk = read.get(first_ms); chunk !== undefined; chunk = read.get(chunk.to_ms)) {
    const last = joined.at(-1);
    if (last === undefined || last.count + chunk.count > JOINED_EVENTS) joined.push(chunk);
    else joined[joined.length - 1] = join(last, chunk);
  }
  return joined;
}

const join = (first: CachedChunk, second: CachedChunk): CachedChunk => ({
  from_ms: first.from_ms,
  to_ms: second.to_ms,
  packets: [...first.packets, ...second.packets],
  count: first.count + second.count,
  id_sum: first.id_sum + second.id_sum,
});

/** The memory, in bytes, that a chunk or packet takes besides its data and texts. */
const OBJECT_BYTES = 300;
const MAX_CHARACTER_BYTES = 2;

const sizeOf = ({ packets }: CachedChunk) =>
  packets.reduce(
    (sum, { view, values }) =>
      sum + view.byteLength + values.length * MAX_CHARACTER_BYTES + OBJECT_BYTES,
    OBJECT_BYTES,
  );
