import { createHash } from 'node:crypto';
import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { CachedChunk } from './chunk-cache.ts';
import { createChunkCutter } from './chunk-cutter.ts';
import type { Chunk } from './chunk-cutter.ts';
import type { EventSelection } from './event-selection.ts';
import type { Packet } from './packet.ts';
import { createUnpacker, ID_SUM, matchesScan, recordBytes, selectPackets } from './row-columns.ts';
import type { PacketRow, RowScan } from './row-columns.ts';
import type { ScannedEvents } from './scan.ts';

interface RowScanOptions {
  /** The spans of time of receipt that are read. */
  spans: readonly Chunk[];
  started_ms: number;
  onEvents: (events: ScannedEvents) => void;
  /** Is called when a chunk has been read. */
  onRead: (chunk: Chunk) => void;
  signal: AbortSignal;
}

/**
 * Reads events from rows in packed form: PostgreSQL returns the events of a thousand requests as one value.
 * That takes 0.4 µs per event; a row for each event would take 1.5 µs in PostgreSQL and as much in this
 * process. Names, times and players are in the index; conditions and fields on properties cost another 1 to 2
 * µs. Earlier scans have cached the events of some ranges of time (chunks). For these, PostgreSQL only tells
 * whether the events are still the same.
 */
export function createRowScan(
  database: ExploreDatabase,
  selection: EventSelection,
  scan: RowScan,
  { spans, started_ms, onEvents, onRead, signal }: RowScanOptions,
) {
  const unpack = createUnpacker(scan);
  const record_bytes = recordBytes(scan);
  const take = (packet: Packet) => onEvents(unpack(packet));

  /** Passes on a cached chunk if its events are still the same. @returns false when they have changed. */
  const readCached = async (chunk: CachedChunk) => {
    let is_unchanged = false;
    await database.each<{ count: number; id_sum: string }>(
      sql`SELECT count(*) AS count, ${ID_SUM}
          FROM events WHERE ${matchesScan(selection, scan, chunk)}`,
      ({ count, id_sum }) => {
        is_unchanged = count === chunk.count && BigInt(id_sum) === chunk.id_sum;
        if (is_unchanged) for (const packet of chunk.packets) take(packet);
      },
      signal,
    );
    return is_unchanged;
  };

  const readChunk = async (chunk: Chunk, names = scan.names) => {
    const packets: Packet[] = [];
    let count = 0;
    let id_sum = 0n;
    const took_ms = await database.each<PacketRow>(
      selectPackets(selection, { ...scan, names }, chunk),
      (row) => {
        const { buffer, byteOffset, byteLength } = row.packed;
        const view = new DataView(buffer, byteOffset, byteLength);
        const packet = {
          view,
          count: view.byteLength / record_bytes,
          values: row.values,
          first_received_at: row.first,
          last_received_at: row.last,
        };
        packets.push(packet);
        count += packet.count;
        id_sum += BigInt(row.id_sum);
        take(packet);
      },
      signal,
    );
    return { took_ms, read: { ...chunk, packets, count, id_sum } };
  };

  const name = nameScan(selection, scan);
  const opened = spans.map(({ from_ms, to_ms }) => {
    const cache = database.chunk_cache.open(`${name} ${from_ms}`, from_ms);
    // Days that have been sealed since were in chunks before.
    const known = cache.known.filter((chunk) => chunk.to_ms <= to_ms);
    const known_ms = known.at(-1)?.to_ms ?? from_ms;
    // The part of the scan after this moment is not cached, because more events will be received in it.
    const now_ms = Math.max(known_ms, Math.min(started_ms, to_ms));
    const cutter = createChunkCutter(known_ms, now_ms);
    const last: Chunk[] = now_ms < to_ms ? [{ from_ms: now_ms, to_ms }] : [];
    return { cache, known, cutter, last };
  });

  return {
    /** Reads all chunks that no other reader has begun to read. */
    async readAll() {
      for (const { cache, known, cutter, last } of opened) {
        for (let chunk = known.shift(); chunk !== undefined; chunk = known.shift()) {
          if (!(await readCached(chunk))) cache.add((await readChunk(chunk)).read);
          onRead(chunk);
        }
        for (let chunk = cutter.next(); chunk !== null; chunk = cutter.next()) {
          const { took_ms, read } = await readChunk(chunk);
          cutter.note(chunk, took_ms);
          cache.add(read);
          onRead(chunk);
        }
        for (const chunk of last.splice(0)) {
          await readChunk(chunk);
          onRead(chunk);
        }
      }
    },
    /** Reads the events with some names in a chunk, which is not cached. */
    async readNames(names: readonly string[], chunk: Chunk) {
      await readChunk(chunk, names);
    },
    /** Stores the chunks, even if the report took too long, so that a second try reads only the rest. */
    close() {
      for (const { cache } of opened) cache.close();
    },
  };
}

/** Names a scan. Two scans have the same name if they read the same fields of the same events. */
function nameScan(selection: EventSelection, scan: RowScan): string {
  const { text, values } = selectPackets(selection, scan, NO_CHUNK);
  return createHash('sha256')
    .update(JSON.stringify([text, values]))
    .digest('hex');
}

const NO_CHUNK: Chunk = { from_ms: 0, to_ms: 0 };
