import { createHash } from 'node:crypto';
import { sql } from '../../../platform/database/sql.ts';
import { badRequest } from '../../../platform/errors.ts';
import { receiptRange } from './event-selection.ts';
import type { EventSelection } from './event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { CachedChunk } from './chunk-cache.ts';
import { expectEvents, partOf } from './expected-rows.ts';
import type { Packet } from './packet.ts';
import { createChunkCutter } from './chunk-cutter.ts';
import type { Chunk } from './chunk-cutter.ts';
import { createReaders } from './readers.ts';
import { createUnpacker, ID_SUM, matchesScan, recordBytes, selectPackets } from './row-columns.ts';
import type { PacketRow } from './row-columns.ts';
import type { Scan, ScannedEvents } from './scan.ts';

/** A report fails if more events than this match, because it holds them in memory, at 30 to 80 bytes each. */
const MAX_SCANNED_EVENTS = 20_000_000;
const DAY_MS = 86_400_000;

/**
 * Reads events of a game in packed form: PostgreSQL returns the events of a thousand requests as one value.
 * That takes 0.4 µs per event; a row for each event would take 1.5 µs in PostgreSQL and as much in this
 * process. Names, times and players are in the index; conditions and fields on properties cost another 1 to 2
 * µs. Earlier scans have cached the events of some ranges of time (chunks). For these, PostgreSQL only tells
 * whether the events are still the same.
 * @param max_events Infinite for a report that keeps no events in memory.
 * @throws ApiError 400 when there are too many events.
 */
export async function scanEvents(
  database: ExploreDatabase,
  selection: EventSelection,
  scans: readonly Scan[],
  signal: AbortSignal,
  max_events = MAX_SCANNED_EVENTS,
): Promise<void> {
  let scanned = 0;
  const readers = createReaders(signal);
  const started_ms = Date.now();

  const take = ({ scan, unpack }: Reading, packet: Packet) => {
    scanned += packet.count;
    if (scanned > max_events) readers.fail(tooMany());
    else scan.onEvents(unpack(packet));
  };

  /** Passes on a cached chunk if its events are still the same. @returns false when they have changed. */
  const readCached = async (reading: Reading, chunk: CachedChunk) => {
    let is_unchanged = false;
    await database.each<{ count: number; id_sum: string }>(
      sql`SELECT count(*) AS count, ${ID_SUM}
          FROM events WHERE ${matchesScan(selection, reading.scan, chunk)}`,
      ({ count, id_sum }) => {
        is_unchanged = count === chunk.count && BigInt(id_sum) === chunk.id_sum;
        if (is_unchanged) for (const packet of chunk.packets) take(reading, packet);
      },
      readers.stopped,
    );
    return is_unchanged;
  };

  const readChunk = async (reading: Reading, chunk: Chunk) => {
    const record_bytes = recordBytes(reading.scan);
    const packets: Packet[] = [];
    let count = 0;
    let id_sum = 0n;
    const took_ms = await database.each<PacketRow>(
      selectPackets(selection, reading.scan, chunk),
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
        take(reading, packet);
      },
      readers.stopped,
    );
    return { took_ms, read: { ...chunk, packets, count, id_sum } };
  };

  for (const { names } of scans) await expectEvents(database, selection, names, signal);
  const { first_ms, last_ms } = receiptRange(selection);
  // The clock of PostgreSQL, which sets the receipt times, may be a little ahead of this one, but not by a
  // day.
  const end_ms = Math.max(first_ms + 1, Math.min(last_ms, started_ms + DAY_MS));
  const works = scans.map((scan) => {
    const cache = database.chunk_cache.open(nameScan(selection, scan), first_ms);
    const known = [...cache.known];
    const known_ms = known.at(-1)?.to_ms ?? first_ms;
    // The part of the scan after this moment is not cached, because more events will be received in it.
    const now_ms = Math.max(known_ms, Math.min(started_ms, end_ms));
    const cutter = createChunkCutter(known_ms, now_ms);
    const last: Chunk[] = now_ms < end_ms ? [{ from_ms: now_ms, to_ms: end_ms }] : [];
    return { reading: { scan, unpack: createUnpacker(scan) }, cache, known, cutter, last };
  });
  const { progress } = database;
  const readAll = async () => {
    for (const { reading, cache, known, cutter, last } of works) {
      const expected = progress.expected(partOf(reading.scan.names)) ?? 0;
      const note = ({ from_ms, to_ms }: Chunk) =>
        progress.add((expected * (to_ms - from_ms)) / (end_ms - first_ms));
      for (let chunk = known.shift(); chunk !== undefined; chunk = known.shift()) {
        if (!(await readCached(reading, chunk))) cache.add((await readChunk(reading, chunk)).read);
        note(chunk);
      }
      for (let chunk = cutter.next(); chunk !== null; chunk = cutter.next()) {
        const { took_ms, read } = await readChunk(reading, chunk);
        cutter.note(chunk, took_ms);
        cache.add(read);
        note(chunk);
      }
      for (const chunk of last.splice(0)) {
        await readChunk(reading, chunk);
        note(chunk);
      }
    }
  };
  try {
    await readers.run(readAll);
  } finally {
    // The chunks are stored even if the report took too long, so a second try reads only the rest.
    for (const { cache } of works) cache.close();
  }
}

interface Reading {
  scan: Scan;
  unpack: (packet: Packet) => ScannedEvents;
}

/** Names a scan. Two scans have the same name if they read the same fields of the same events. */
function nameScan(selection: EventSelection, scan: Scan): string {
  const { text, values } = selectPackets(selection, scan, NO_CHUNK);
  return createHash('sha256')
    .update(JSON.stringify([text, values]))
    .digest('hex');
}

const NO_CHUNK: Chunk = { from_ms: 0, to_ms: 0 };

const tooMany = () =>
  badRequest(
    `More than ${MAX_SCANNED_EVENTS / 1_000_000} million events match: choose fewer days, rarer events or more conditions`,
  );
